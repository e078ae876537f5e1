import { dataDirectoryAt } from "../../supabase/local/database/data-directory.ts";
import { openDatabase } from "../../supabase/local/database/database.ts";

/** Every row of every table of a stopped studio as text, but for the table of sealed secrets; one place per table. */
export async function databaseRows(dataDir: string): Promise<{ place: string; text: string }[]> {
  const { driver } = await openDatabase(dataDirectoryAt(dataDir).database);
  try {
    const { rows: tables } = await driver.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')
         and (schemaname, tablename) <> ('private', 'studio_credential_secrets')`,
    );
    const places = [];
    for (const { name } of tables) {
      const { rows } = await driver.query<{ text: string | null }>(
        `select string_agg(entry::text, E'\\n') as text from ${name} entry`,
      );
      places.push({ place: name, text: rows[0]?.text ?? "" });
    }
    return places;
  } finally {
    await driver.close();
  }
}
