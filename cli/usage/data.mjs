/** What `npm run data -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Backs up a studio's data and restores them, or copies them from the embedded database to a server's, or back.

  npm run data -- backup <folder> [--with-keys] [--data <dir>] [--database <address>]
  npm run data -- verify <folder>
  npm run data -- restore <folder> --to <place> [--keys <file>] [--compare <place>] [--data <dir>]
  npm run data -- resume [--data <dir>] [--database <address>]
  npm run data -- copy --from <place> --to <place> [--data <dir>]

  <folder>              a new folder for the backup, or that of one
  <place>               a data directory of \`npm start\`, or a database on a server: postgres://user:password@host/database;
                        the word database means the address in STUDIO_DATABASE_URL
  --data <dir>          the data directory (default .switchyard); with a server's database, the one whose keys.json and files are used
  --database <address>  the server's database that the studio uses (default: STUDIO_DATABASE_URL)
  --with-keys           put keys.json into the backup; without it, credentials cannot be opened after a restore
  --keys <file>         keys.json of the studio that was backed up, where it is not in the backup
  --compare <place>     the studio as it is now: names the accounts, passwords, API keys, links and published workflows that a
                        restore makes good again (default: the one that was backed up, if its directory is still there or
                        STUDIO_DATABASE_URL names its database)
  --help                print this

backup works while the studio runs, and nobody waits for it. Whatever was acknowledged before is in it. A server's database is backed
up with its own programs, pg_dump and pg_restore.

restore takes a new directory or an empty database. All sessions are over then, runs that were under way wait for a person, and
published workflows, schedules, APIs, webhooks and chat pages are paused until you run resume.

copy needs the studio and all workers stopped. It copies accounts, sessions, workflows, versions, runs, conversations, documents, sealed
credentials and the bytes of files. Rows go in one transaction, which is kept only if every table has the same number of rows and the
same checksum on both sides. The source stays as it is. A target that holds rows is refused. Keys and files: into a directory they are
copied; a database on a server is used with those of --data (default: the directory named by --from).

Exit codes: 0 done, 1 refused or failed, 2 not understood.
`;
