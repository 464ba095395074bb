import "@alneas/appkit-core/storage";
export {};
