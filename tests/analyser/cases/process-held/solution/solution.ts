export const held = { host: process };
