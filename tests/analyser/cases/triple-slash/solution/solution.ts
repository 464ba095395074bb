/// <reference path="/etc/shadow.ts" />
/// <reference types="node" />
/// <reference lib="es5" />
export const value = 1;
