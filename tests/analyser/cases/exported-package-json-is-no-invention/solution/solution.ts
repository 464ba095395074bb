import manifest from "@alneas/appkit-core/package.json";
export const value: unknown = manifest;
