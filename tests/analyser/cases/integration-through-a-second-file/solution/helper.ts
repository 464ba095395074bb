export { createAjvValidator as make } from "@alneas/appkit-core";
