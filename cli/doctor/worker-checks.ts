import type { ServerSession } from "../../supabase/local/database/postgres/server-session.ts";
import { count, type Finding, missing, note, ok } from "./finding.ts";

interface Workers {
  /** Whether the role of workers can connect. */
  login: boolean;
  /** Those that have reported lately, also a studio's own. */
  atWork: number;
}

/** Workers beside a studio on a server; it has its own as well. */
export async function studioWorkers(session: ServerSession): Promise<Finding[]> {
  const { login, atWork } = await readWorkers(session);
  return [
    atWork > 0
      ? ok(`${count(atWork, "worker")} at work.`)
      : note(
          "No worker is at work.",
          "Published workflows run while a studio runs, or npm run worker; see docs/server-runs.md.",
        ),
    login
      ? ok("Workers on other machines can connect.")
      : note(
          "Workers on other machines cannot connect.",
          "If you want them: alter role studio_worker login password '…';\nThen start npm run worker with it, as docs/server-runs.md says.",
        ),
    ...(await functionsRole(session)),
    ...(await pauseFindings(session)),
  ];
}

/** Workers of a project, which has none of its own. */
export async function projectWorkers(session: ServerSession): Promise<Finding[]> {
  const { login, atWork } = await readWorkers(session);
  const role = await functionsRole(session);
  if (atWork > 0) return [ok(`${count(atWork, "worker")} at work.`), ...role];
  return [
    login
      ? note("No worker is at work.", "Published workflows run where npm run worker does; see docs/server-runs.md.")
      : note(
          "No worker can connect, so published workflows do not run.",
          "alter role studio_worker login password '…';\nThen start npm run worker with it, as docs/server-runs.md says.",
        ),
    ...role,
    ...(await cronFindings(session)),
  ];
}

async function readWorkers(session: ServerSession): Promise<Workers> {
  const { rows } = await session.query<Workers>(`
    select coalesce((select rolcanlogin from pg_roles where rolname = 'studio_worker'), false) as login,
      (select count(*)::integer from private.studio_workers where seen_at > now() - interval '30 seconds') as "atWork"`);
  return rows[0] ?? { login: false, atWork: 0 };
}

interface FunctionsRole {
  login: boolean;
  /** Roles that it cannot become. */
  lacking: string[];
  /** What takes away the attributes that it does not need, in the words of `alter role`. */
  surplus: string[];
}

/** The role of functions beside workers, where there is one: what it lacks, and what it has beyond its need. */
async function functionsRole(session: ServerSession): Promise<Finding[]> {
  const { rows } = await session.query<FunctionsRole>(`
    select roles.rolcanlogin as login,
      array(select wanted from unnest(array['authenticated', 'service_role']) as wanted
            where not pg_has_role(roles.oid, wanted, 'member')) as lacking,
      array_remove(array[
        case when roles.rolsuper then 'nosuperuser' end,
        case when roles.rolbypassrls then 'nobypassrls' end,
        case when roles.rolcreaterole then 'nocreaterole' end,
        case when roles.rolcreatedb then 'nocreatedb' end,
        case when roles.rolinherit then 'noinherit' end], null) as surplus
    from pg_roles as roles where roles.rolname = 'studio_functions'`);
  const [role] = rows;
  if (role === undefined) return [];
  const { login, lacking, surplus } = role;
  const findings = [
    ...(login
      ? []
      : [missing("The role studio_functions cannot connect.", "alter role studio_functions login password '…';")]),
    ...(lacking.length === 0
      ? []
      : [
          missing(
            `The role studio_functions may not become ${lacking.join(" and ")}, so workers with functions of their own do not start.`,
            `grant ${lacking.join(", ")} to studio_functions;`,
          ),
        ]),
    ...(surplus.length === 0
      ? []
      : [
          note(
            "The role studio_functions may do more by itself than it needs.",
            `alter role studio_functions ${surplus.join(" ")};`,
          ),
        ]),
  ];
  return findings.length > 0 ? findings : [ok("Workers with functions of their own can connect.")];
}

/** Whether published workflows wait for their operator, as after a restore. */
async function pauseFindings(session: ServerSession): Promise<Finding[]> {
  const { rows } = await session.query<{ reason: string }>("select reason from private.studio_pause");
  return rows.map(({ reason }) =>
    note(
      `Published workflows are paused. ${reason}`,
      "Look at the interrupted runs, then: npm run data -- resume --database <address>",
    ),
  );
}

/** What a worker would do besides; asked only where there is none. */
async function cronFindings(session: ServerSession): Promise<Finding[]> {
  const { rows: found } = await session.query<{ cron: boolean }>("select to_regclass('cron.job') is not null as cron");
  const { rows } = found[0]?.cron
    ? await session.query("select from cron.job where command like '%studio_delete_accounts%' and active")
    : { rows: [] };
  return rows.length > 0
    ? [ok("Deleted accounts are cleared by pg_cron.")]
    : [
        note(
          "Nobody clears what deleted accounts have left while their page is closed.",
          "Start a worker, or: create extension pg_cron; select cron.schedule('delete-accounts', '* * * * *', 'select private.studio_delete_accounts(5000)');",
        ),
      ];
}
