export const f = (store: typeof import("@alneas/appkit-core/storage")): unknown => store.open;
export const g = (some: typeof import("@alneas/appkit-core").policies): unknown => [some.allow, some.gone];
