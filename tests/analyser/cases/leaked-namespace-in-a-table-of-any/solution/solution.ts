export const f = async (): Promise<unknown> => { const c: Record<string, any> = await import("@alneas/appkit-core"); return c.createAgent(); };
