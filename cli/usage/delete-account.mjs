/** What `npm run delete-account -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Deletes an account of a running studio, with everything that it owns. It cannot be undone.

  npm run --silent delete-account -- <e-mail> [--dry-run] [--yes] [--data <dir>]

  <e-mail>       the account's address, also that of a guest
  --dry-run      list what the account holds, and delete nothing
  --yes          delete without asking, for scripts
  --data <dir>   data directory of the studio (default: .switchyard)
  --help         print this

What the account holds is listed first. Once that is confirmed, nobody can use the account any more, and its runs on the server stop.
Then its rows are deleted while the studio goes on serving others; should the studio stop meanwhile, its next start goes on.
Run it as the user who may read the data directory. It exits with 0 when everything is gone, or was listed; with 1 when that
failed or was not confirmed; with 2 when it was not called correctly.`;
