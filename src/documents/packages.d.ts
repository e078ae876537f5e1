declare module "mammoth/mammoth.browser.js" {
  export { default } from "mammoth";
}

declare module "pdfmake/build/pdfmake.js" {
  const pdfMake: {
    addVirtualFileSystem(files: object): void;
    createPdf(definition: object): { getBuffer(): Promise<Uint8Array> };
  };
  export default pdfMake;
}

declare module "pdfmake/build/vfs_fonts.js" {
  /** Files in base64 by their names. */
  const fonts: { "Roboto-Regular.ttf": string };
  export default fonts;
}
