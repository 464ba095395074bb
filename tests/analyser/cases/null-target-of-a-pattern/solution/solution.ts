import { nothing } from "@alneas/appkit-core/features/private";
export const value = nothing;
