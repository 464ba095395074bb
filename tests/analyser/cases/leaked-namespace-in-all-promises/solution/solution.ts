export const f = async (): Promise<unknown> => { const [c] = await Promise.all<any>([import("@alneas/appkit-core")]); return c.createAgent(); };
