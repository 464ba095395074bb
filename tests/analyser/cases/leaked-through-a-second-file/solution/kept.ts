export const kept = new Map<string, any>();
export const f = (): unknown => kept.get("v").stop();
