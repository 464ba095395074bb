#!/usr/bin/env node
console.log("tiny");
