declare module "@alneas/appkit-agents" {
  export function createAgent(): string;
}
