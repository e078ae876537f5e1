import type { PostgresServer } from "../../../../functions/_shared/testing/postgres-server.ts";

/**
 * As much of pgvector as the migrations and the studio's own statements name, made of what every PostgreSQL has: vectors are kept
 * as their text, distances are computed in SQL, and `hnsw` is a hash index that no search uses. It is listed as the extension, so
 * that `create extension if not exists vector` finds it.
 */
const standIn = `
  create schema if not exists extensions;

  create type extensions.vector;
  create function extensions.vector_in(cstring) returns extensions.vector language internal immutable strict as 'textin';
  create function extensions.vector_out(extensions.vector) returns cstring language internal immutable strict as 'textout';
  create type extensions.vector (
    input = extensions.vector_in, output = extensions.vector_out, like = text,
    typmod_in = varchartypmodin, typmod_out = varchartypmodout
  );
  create cast (extensions.vector as text) without function;

  create type extensions.halfvec;
  create function extensions.halfvec_in(cstring) returns extensions.halfvec language internal immutable strict as 'textin';
  create function extensions.halfvec_out(extensions.halfvec) returns cstring language internal immutable strict as 'textout';
  create type extensions.halfvec (
    input = extensions.halfvec_in, output = extensions.halfvec_out, like = text,
    typmod_in = varchartypmodin, typmod_out = varchartypmodout
  );
  create cast (extensions.halfvec as text) without function;
  create cast (extensions.vector as extensions.halfvec) without function as implicit;

  create function extensions.vector_dims(extensions.vector) returns integer language sql immutable strict as
    $$ select cardinality(string_to_array(btrim($1::text, '[]'), ',')) $$;
  create function extensions.cosine_distance(extensions.vector, extensions.vector) returns double precision
    language sql immutable strict as $$
      select 1 - sum(one.value * other.value) / nullif(sqrt(sum(one.value ^ 2)) * sqrt(sum(other.value ^ 2)), 0)
      from unnest(string_to_array(btrim($1::text, '[]'), ',')::double precision[]) with ordinality as one (value, place)
      join unnest(string_to_array(btrim($2::text, '[]'), ',')::double precision[]) with ordinality as other (value, place)
        using (place)
    $$;
  create operator extensions.<=> (
    leftarg = extensions.vector, rightarg = extensions.vector, function = extensions.cosine_distance
  );

  create function extensions.binary_quantize(extensions.vector) returns bit language sql immutable strict as $$
    select string_agg(case when one.value > 0 then '1' else '0' end, '' order by one.place)::varbit
    from unnest(string_to_array(btrim($1::text, '[]'), ',')::double precision[]) with ordinality as one (value, place)
  $$;
  create function extensions.hamming_distance(bit, bit) returns double precision language sql immutable strict as
    $$ select length(replace(($1 # $2)::text, '0', ''))::double precision $$;
  create operator extensions.<~> (leftarg = bit, rightarg = bit, function = extensions.hamming_distance);

  create function extensions.vector_hash(extensions.vector) returns integer
    language internal immutable strict as 'hashvarlena';
  create function extensions.halfvec_hash(extensions.halfvec) returns integer
    language internal immutable strict as 'hashvarlena';
  create access method hnsw type index handler hashhandler;
  create operator class extensions.vector_cosine_ops for type extensions.vector using hnsw as
    function 1 extensions.vector_hash(extensions.vector);
  create operator class extensions.halfvec_cosine_ops for type extensions.halfvec using hnsw as
    function 1 extensions.halfvec_hash(extensions.halfvec);

  set allow_system_table_mods = on;
  insert into pg_catalog.pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  values (
    (select max(oid::bigint) + 1 from pg_catalog.pg_extension)::oid, 'vector',
    (select oid from pg_catalog.pg_roles where rolname = current_user), 'extensions'::regnamespace, true, '0'
  );
  reset allow_system_table_mods;
`;

/** Gives a PostgreSQL that has no pgvector something in its place. */
export async function addVectors(server: Pick<PostgresServer, "run">): Promise<void> {
  const [found] = await server.run("select 1 from pg_available_extensions where name = 'vector'");
  if (!found) await server.run(standIn);
}
