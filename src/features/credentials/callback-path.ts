/** Where another server sends a person back to who signed in there. */
export const callbackPath = "/oauth/callback";
