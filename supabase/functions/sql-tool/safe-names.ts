/**
 * What SQL of other people may call, by name. All of it is built in, changes nothing, reads no table, no file and no setting,
 * and makes nothing much larger than what it is given; so `repeat`, `lpad`, `generate_series`, `pg_read_file`, `set_config`,
 * `nextval`, `pg_sleep`, `query_to_xml`, `dblink` and everything unknown are out.
 */

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Of one value of one row. */
export const scalarFunctions: ReadonlySet<string> = new Set(
  words(`
    lower upper initcap length char_length character_length octet_length bit_length trim btrim ltrim rtrim left right
    substr substring position strpos replace translate reverse split_part concat concat_ws starts_with ascii md5 overlay
    regexp_replace regexp_match regexp_like regexp_count regexp_substr regexp_instr similar_to_escape
    abs ceil ceiling floor round trunc sign mod div power pow sqrt cbrt exp ln log log10 gcd lcm
    width_bucket degrees radians sin cos tan asin acos atan atan2 factorial scale trim_scale min_scale
    now date_trunc date_part extract age make_date make_time make_timestamp make_timestamptz make_interval to_char
    to_date to_timestamp to_number timezone date_bin justify_days justify_hours justify_interval isfinite
    statement_timestamp transaction_timestamp clock_timestamp
    array_length cardinality array_position array_positions array_ndims array_lower array_upper array_to_string
    string_to_array array_append array_prepend array_cat array_remove
    jsonb_array_length json_array_length jsonb_typeof json_typeof jsonb_extract_path jsonb_extract_path_text
    json_extract_path json_extract_path_text jsonb_exists jsonb_exists_any jsonb_exists_all jsonb_contains
    jsonb_path_exists jsonb_path_match jsonb_path_query_first jsonb_strip_nulls json_strip_nulls
    to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd
    isempty lower_inc upper_inc lower_inf upper_inf host masklen network family broadcast
    num_nulls num_nonnulls
  `),
);

/** Further ones for a whole statement: over groups, windows, and what makes rows of a value that is there. */
export const statementFunctions: ReadonlySet<string> = new Set([
  ...scalarFunctions,
  ...words(`
    count sum avg min max bool_and bool_or every string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg
    stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp regr_slope regr_intercept regr_r2
    regr_count regr_avgx regr_avgy regr_sxx regr_sxy regr_syy mode percentile_cont percentile_disc any_value bit_and bit_or grouping
    row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
    unnest jsonb_array_elements jsonb_array_elements_text json_array_elements json_array_elements_text jsonb_each
    jsonb_each_text json_each json_each_text jsonb_object_keys json_object_keys regexp_split_to_table
    regexp_split_to_array regexp_matches string_to_table jsonb_path_query jsonb_path_query_array
    jsonb_build_object json_build_object jsonb_build_array json_build_array to_json to_jsonb row_to_json array_to_json
    jsonb_set jsonb_insert jsonb_pretty gen_random_uuid
  `),
]);

/** Operators that only compute. */
export const operators: ReadonlySet<string> = new Set(
  words(`
    = <> != < <= > >= + - * / % ^ || ~ ~* !~ !~* ~~ ~~* !~~ !~~* -> ->> #> #>> @> <@ ? ?| ?& && & | # << >> @@ @?
    |/ ||/ @ <-> <=> <#> <+> -|- #-
  `),
);

/** Types that a value may be turned into. Those that look names up, such as `regclass`, are out. */
export const types: ReadonlySet<string> = new Set(
  words(`
    bool int2 int4 int8 float4 float8 numeric money text varchar bpchar citext uuid date time timetz timestamp
    timestamptz interval json jsonb bytea inet cidr macaddr bit varbit tsvector tsquery int4range int8range numrange
    daterange tsrange tstzrange vector halfvec jsonpath
  `),
);

/** Values that SQL writes as words. Those that name a role, a database or a schema are out. */
export const valueFunctions: Readonly<Record<string, string>> = {
  SVFOP_CURRENT_DATE: "current_date",
  SVFOP_CURRENT_TIME: "current_time",
  SVFOP_CURRENT_TIMESTAMP: "current_timestamp",
  SVFOP_LOCALTIME: "localtime",
  SVFOP_LOCALTIMESTAMP: "localtimestamp",
};
