import core = require("@alneas/appkit-core");
export const a = core.createAgent;
export import b = core.presets;
