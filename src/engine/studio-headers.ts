/* The studio's own HTTP headers, as its pages, its functions and its server call them. */

/** Marks, with the value "1", an answer of the studio itself, so that it is never taken for one of a service behind it. */
export const ownErrorHeader = "x-switchyard-error";

/** Names the credential that a request is to be signed with, by its id. */
export const credentialHeader = "x-switchyard-credential";

/** Asks, with the value "1", that the credential leads to a model server of this machine: what it makes counts as free. */
export const localOnlyHeader = "x-switchyard-local-only";

/** Names, percent-encoded, the credential that a vendor's answer was signed with, so that its error can say which. */
export const credentialNameHeader = "x-switchyard-credential-name";

/** The address of an MCP server, where the credential has none. */
export const mcpServerHeader = "x-switchyard-url";

/** The id of the run that a request started. */
export const runHeader = "x-switchyard-run";

/** Why the database did not answer: after `not-started` the same may be asked again, whatever it was. */
export const databaseHeader = "x-switchyard-database";

/** Of a file that is stored: its name, percent-encoded. */
export const fileNameHeader = "x-switchyard-file-name";
