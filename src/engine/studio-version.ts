/** The version of this software, as it says it to servers and clients; a test compares it with `package.json`. */
export const studioVersion = "0.2.0";
