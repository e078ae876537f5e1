-- Whether a run is under a limit in money, and whether models without a known price may be called nevertheless:
-- { limited, allowed }. p_models: those that its workflow has, [text]; where they are called uncounted, the publication is marked
-- and its owner is told, once.
create or replace function private.studio_check_unknown_prices(p_run_id uuid, p_models jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  run record;
  limited boolean;
  allowed boolean;
begin
  select runs.workflow_id, runs.source, runs.published_version, publications.limits, publications.live,
    publications.unknown_prices, keys.limits as key_limits, versions.allows_unknown_prices as version_allows,
    coalesce(keys.allows_unknown_prices, true) as key_allows
  into run
  from public.studio_runs as runs
  join public.studio_publications as publications on publications.workflow_id = runs.workflow_id
  join public.studio_published as versions
    on versions.workflow_id = runs.workflow_id and versions.version = runs.published_version
  left join public.studio_api_keys as keys on keys.id = runs.api_key_id
  where runs.id = p_run_id;
  if not found then
    return jsonb_build_object('limited', false, 'allowed', false);
  end if;
  limited := run.limits ?| array['runUsd', 'dayUsd', 'monthUsd'] or coalesce(run.key_limits ?| array['dayUsd', 'monthUsd'], false);
  allowed := run.version_allows and (run.key_allows or not coalesce(run.key_limits ?| array['dayUsd', 'monthUsd'], false));
  if limited and allowed and p_models <> '[]'::jsonb and run.live = run.published_version
    and run.unknown_prices is distinct from p_models then
    update public.studio_publications as own set unknown_prices = p_models where own.workflow_id = run.workflow_id;
    if run.source <> 'failure' then
      perform private.studio_tell_failure(
        run.workflow_id, 'unknown prices ' || run.published_version, jsonb_build_object(
          'kind', 'unknown-prices', 'models', p_models,
          'message', 'A spending limit does not count models whose price is not known. Enter their prices in the workflow '
            || '(0 for a server of your own) and publish it again.'));
    end if;
  end if;
  return jsonb_build_object('limited', limited, 'allowed', allowed);
end;
$$;

select private.studio_grant_calls('private.studio_check_unknown_prices(uuid, jsonb)', 'studio_worker');
