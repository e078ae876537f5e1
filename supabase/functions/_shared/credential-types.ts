/** The credential types, which the site's forms share. */
export * from "../../../src/engine/credentials/credential-types.ts";
