/** The bucket of all files. It has no policy: the service role alone reaches it. */
export const filesBucket = "studio-files";
