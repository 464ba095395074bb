import { createAgent } from "@alneas/appkit-core";
export const agent = createAgent({ name: 'a', run: x => x });
if (createAgent) { console.log(1); }
