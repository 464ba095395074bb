import "@alneas/appkit-core/register";
export {};
