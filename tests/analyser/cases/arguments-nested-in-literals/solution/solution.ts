import { configure } from "@alneas/appkit-core";
configure({ name: "a", metadata: 5 });
configure({ name: "a", execute: () => { const n: number = "x"; return n; } });
export {};
