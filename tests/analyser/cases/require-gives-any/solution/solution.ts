const core = require("@alneas/appkit-core");
export const a = core.createAgent();
export const b = require("@alneas/appkit-core/agents");
