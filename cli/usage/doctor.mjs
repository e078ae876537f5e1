/** What `npm run doctor -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Says what a Supabase project or a PostgreSQL server lacks for a studio, and how to set it. It changes nothing.

  npm run --silent doctor -- --url <url> --key <key> [--site <url>] [--database-url <url>]
  npm run --silent doctor -- --database-url <url>

  --url <url>           the project, such as https://<ref>.supabase.co
  --key <key>           its publishable key; SUPABASE_KEY in the environment does as well
  --site <url>          where the studio's site is served: checks links in mails, and who may call the functions
  --database-url <url>  a PostgreSQL server for npm start -- --database, or the project's own database; the word
                        database stands for the address in STUDIO_DATABASE_URL
  --help                print this

With SUPABASE_JWT_KEY in the environment it also checks that the project knows the key with which workers sign.
It exits with 0 when nothing is missing, with 1 when something is, and with 2 when it was not called correctly.`;
