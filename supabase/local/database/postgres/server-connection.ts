import { PostgresConnection } from "@supabase/lite/postgres";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { settingsOfRequest, withSettings } from "../../rest/request-settings.ts";
import { turnSession } from "./turn-session.ts";

type Context = PostgresConnection["withContext"];

/**
 * The API library's connection to a server. It has none of its own: every statement goes to the session of the turn in which
 * it is sent, so that many requests are answered at once and each stays within its transaction and role.
 */
export class ServerConnection extends PostgresConnection {
  constructor() {
    // The library's own client is never asked, and so never connects.
    super({ postgresOptions: { max: 1 } });
    this.kysely = new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => turnDriver,
        createIntrospector: (database) => new PostgresIntrospector(database),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
  }

  /** Runs statements of the library's own, and gives the rows of the first, as on the embedded database. */
  override async exec<Result = unknown>(sql: string): Promise<Result> {
    const [first] = await turnSession.exec(sql);
    return { rows: first?.rows ?? [] } as Result;
  }

  override async withContext<Result>(
    vars: Parameters<Context>[0],
    work: (database: Parameters<Parameters<Context>[1]>[0]) => Promise<Result>,
    options?: Parameters<Context>[2],
  ): Promise<Result> {
    const settings = settingsOfRequest(vars, options);
    if (!settings) return super.withContext(vars, work, options);
    return withSettings(turnSession, settings, () => work(this.kysely));
  }

  override async close(): Promise<void> {
    await super.close();
  }
}

const turnConnection: DatabaseConnection = {
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows } = await turnSession.query<Row>(sql, [...parameters]);
    return affectedRows === undefined ? { rows } : { rows, numAffectedRows: BigInt(affectedRows) };
  },
  streamQuery() {
    throw new Error("The API library streams no rows.");
  },
};

const statement = (sql: string) => async () => void (await turnSession.exec(sql));

const turnDriver: Driver = {
  init: () => Promise.resolve(),
  acquireConnection: () => Promise.resolve(turnConnection),
  beginTransaction: statement("begin"),
  commitTransaction: statement("commit"),
  rollbackTransaction: statement("rollback"),
  releaseConnection: () => Promise.resolve(),
  destroy: () => Promise.resolve(),
};
