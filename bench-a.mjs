import { PGlite } from "@electric-sql/pglite";
for (const f of [["-F"],[]]) {
const db = new PGlite({dataDir:"/tmp/proto/d2", startParams:[...process.argv[2].split(","),...f]}); await db.waitReady;
await db.exec("create table if not exists t(id int, j jsonb); truncate t");
let t=performance.now(); for(let i=0;i<200;i++) await db.query("insert into t values($1,$2)",[i,{a:"x".repeat(300)}]); console.log(f,"insert ms", (performance.now()-t)/200);
t=performance.now(); for(let i=0;i<200;i++) await db.query("select * from t where id=$1",[i]); console.log("select ms", (performance.now()-t)/200);
await db.close(); }
