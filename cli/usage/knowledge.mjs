/** What `npm run knowledge -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Brings the files of a folder into a collection. Only files that changed since the last time are sent.

  npm run --silent knowledge -- add <folder> --collection <id> [options]

  --collection <id>   the collection; its id stands in the address of its page
  --meta <name=value> metadata of every document, such as --meta team=sales; may stand several times
  --wait              wait until a worker has stored what was sent, and say what could not be stored
  --dry-run           say what would be sent, and send nothing
  --url <address>     the studio (default http://127.0.0.1:4700); of a hosted one
                      https://<project>.supabase.co/functions/v1/doors
  --help              show this text

SWITCHYARD_API_KEY holds an API key of the studio's settings that may change documents. A document is called as its path
in the folder, such as guides/returns.md, and replaces the one of that name. Hidden files and folders, links, and files
that collections do not take are left out. Exit code 0; 1 when something was not stored; 2 when the command was not understood.
`;
