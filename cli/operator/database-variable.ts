/** What stands before a command for a studio on a server's database. Addresses are printed without their password. */
export const databaseVariable = (isServer: boolean): string => (isServer ? "STUDIO_DATABASE_URL=postgres://… " : "");
