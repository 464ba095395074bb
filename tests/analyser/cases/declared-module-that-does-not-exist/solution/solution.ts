declare module "@alneas/appkit-core/agents" {
  export function createAgent(): string;
}
export const value = 1;
