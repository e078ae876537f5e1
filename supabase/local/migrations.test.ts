import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startTestStack } from "./testing/start-stack.ts";

const folder = fileURLToPath(new URL("../migrations/", import.meta.url));

/** SHA-256 of every migration that people may have applied. A new migration is added here once it has landed. */
const landed: Record<string, string> = {
  "20260101000000_workflows_and_runs.sql": "0b66b52e74868419911103749859edab658f32f0a8084283b505c5cd84d99a0b",
  "20260101000100_credentials.sql": "25e6ecb2eddf6994d00b3d817ac6fdf60672be697feae7d75753722a0a6ffd15",
  "20260101000200_limits.sql": "00d98bd730f35bb23c853005994aefdc2f72bf97da411f20b2a2d0d52b7f9add",
  "20260102000000_memory.sql": "af5519b01abc046def95e44a2ca95edad6abd735372befa2953897c86d56f009",
  "20260103000000_knowledge.sql": "8925cad86ae5864e6e93b0dddeaee6633cb7c5a583a198b17690cefaa0b984de",
  "20260103000100_workflow_versions.sql": "490279cdfeb56b969f6c2fa940bc12de54ce5e54445f715451e55d847733f6b0",
  "20260103000200_runs.sql": "3a0d8350425a92a512a0d002c2970e3d589c55802e40aecc0610478788c7604f",
  "20260103000300_mcp_sign_in.sql": "e995b19fe1df5e57a3d9643ddec438efc77d1bf62c8de1a0bfa69896b9cbbb19",
  "20260103000400_credential_settings.sql": "4845ec7ef26ef266701bef0ffcc224b3ab93ec4171c2092ca5453f8168b10c3e",
  "20260104000000_knowledge_search.sql": "f1a86872baac19e802df6b9da8d47ef810d1c4903970e818ccaeed658571ec92",
  "20260104000500_run_lists.sql": "a33231515e31f8658a1a2e52c0f800a7c223a8acdd38db740d72a212522b5567",
  "20260105000000_statement_timeouts.sql": "cc3886e8871f7f20c6ce78ec72bb234c70a797809191f6fc422d40ded57dac24",
  "20260105020000_keys_and_conversations.sql": "df4742ad628f80f5f70dd23064d9fc00aa2d9f308533604f652b66b5f10ca501",
  "20260105020100_sign_up.sql": "23ac023f0e0374ec75504ea4c2448a85d092b74ff6078cae03406c0d0996a5c5",
  "20260105020200_quotas.sql": "d15bba0825d5658fe4e804bccd445d04622c2fd2bb0417a8ed50afecc6f73044",
  "20260105040000_lists_and_sums.sql": "9a8be1120ef1ab0115196b96364c39f29e159744c1d6da369b475f1c5f682927",
  "20260105050000_memory_writes.sql": "6f8d8de134ea9d2a564d3d57fbebd20ca174f97fb89d8ccc0f7d2e19cf357617",
  "20260105060000_run_endings.sql": "95050727c81b94819c4163de9117d70a44d3cb109c28e675c8c8cfa46183d2f8",
  "20260105070000_conversation_names_and_retention.sql":
    "dc02a4e3dca84c2193c9b8e28cb8ed14a4b2df3b2ba24114b00d4b37f398dabc",
  "20260108000000_published_versions.sql": "979ef0fe33d7dcf30ce5a02416ca5c857ea7fba0691f2aaff6e1fcad069f4a88",
  "20260108000100_server_runs.sql": "d4f8e47f4a3415c782c922307478fab36ff774abf31b1b2d73ae61e3aae9a370",
  "20260108010000_level_early_versions.sql": "f61a503792713e81b32d15ef68d5998c5a1b527e67c201e32f0b5d218204d70b",
  "20260108020000_worker_reads.sql": "047152219aebc19123dee33f17f21dcd994bfb38ef09f20198edddd4043f879c",
  "20260108030000_list_server_runs.sql": "aca0a2ef14d01b0378b39385e2722d30e39574ad2c8dc2f2554e471eeef4b72a",
  "20260108040000_encrypted_conversations.sql": "a9e02b94b08f1855a4d289c6befde250609904e73ab47a68d0bc1b1622c3b62a",
  "20260108050000_failures_and_retention.sql": "66945243506904d8592e12fbe6b01dd147bede53a4d9a03650f7ef25ef2bcd7f",
  "20260108060000_keys_of_server_runs.sql": "42ba222c08448ee1085a58df8814efc38e825e8fc28dd4eb3ae9a499fae90c19",
  "20260108070000_inbox.sql": "526112190c14dcdbb91d5f03ea22736fe0709298359b6393e36151584b8eb1e8",
  "20260108080000_questions_of_ended_runs.sql": "8e16cfe14b7b129495479a9423cfcf494344b04e2064182ef6758732848e82a7",
  "20260109000000_doors.sql": "67066ff48f380341adda30df836c7c994e274baf9edd7341c7334f035190b337",
  "20260109000100_key_spending.sql": "1743754d4655a9b54fe1951d57283ba049c2c133ded8ad9295143e339b2d0cec",
  "20260109010000_webhooks.sql": "0e997414d3a639a5677e2646352133aee944f36e2a322fb53ec192f2df459cb7",
  "20260109010100_failure_webhooks.sql": "2aea627b7f5521b9a391ffdddc11eb6ff7964db33b26e5adf4a394300e686a7b",
  "20260109020000_chat.sql": "034e86f200c5a553c7e524590906c7978344cf5a81d1e665a71f186e76565f6e",
  "20260110000000_mcp_doors.sql": "4ed66338b98e07e79f93a5671837258ea2ecfa4661f92e90bcb23444dfc5ffcf",
  "20260111000000_activity.sql": "565ac2acff21e82083b3a599fdc8c41e6692ce3fb271b32a2591cca4a8ffde02",
  "20260111010000_traces.sql": "bd50102e0e9a901d6736002397fff7f5b4fc93b79cacd5325d7080fc7341c2f2",
  "20260114000000_forms.sql": "ca334b436b910f8f11fa4bc85668284d17f8c862e19b9a79d982bb37a7287450",
  "20260113000000_free_address.sql": "c8408eb7cc5ec42961d5e0b269319138707164dbab161a37b0ceb0631ebe1dad",
  "20260115000000_decisions_of_cancelled_runs.sql": "99b324dd7388dace290193618a812c3366ad0a1c551ca8256d6a4a6322af687c",
  "20260116000000_evaluations.sql": "120f7472857c9da49bd78763036ae382fa1379679e231833b108617919e5d6b2",
  "20260118000000_memory_turns.sql": "5fb6d68818fa8c60914190c34b37f37e13c97fa63c8daa1f20255d5171724ac2",
  "20260119000000_account_changes.sql": "c6cb6b4328f2ff9a206c1533c1db708d26dd29f18960b0776832ab8b0811463a",
  "20260119010000_library.sql": "2d8c3b7f13630ffff3f0efa3f2ab54df57795fa50c11e7f339922293a799300a",
  "20260120000000_begin_call.sql": "f75a5e24f317ecb9c09afb9e45b18532d9b48aa4b79ca43b2b982f4ac160bbd7",
  "20260121000000_knowledge_bits.sql": "5ca103a0b6ac6b59817861a3b95979e83fdf5282cc02765fcb5aab9715f04478",
  "20260122000000_imports.sql": "ba85623029ff7f60227c2ab5e07685b24ce554bf7ceaf0518c2436ec777cdac8",
  "20260123000000_oauth_credentials.sql": "69e66bfa04461e9633705f9111e0aa4d7c2eddd49c61fd64c9314e5a2583fb5c",
  "20260124000000_trial_runs.sql": "3deb59875ec47c45028e1098f89f836d218889189a496d4425e8d31e6ed47a2b",
  "20260125000000_quick_lists.sql": "d669b3aa33d44ac94c32ef4d1ac7d3abef6d1bbc7a73a806296b71c05d7eb286",
  "20260128000000_suite_versions.sql": "8ebcca1665e39506386375b557da1b53e7329b85642e1a7cf1ea072af0b554b0",
  "20260126000000_renewed_credentials.sql": "6946de1c89fbd34ba260b2706d5a5f0bb6c1c88ab032071f734c7aa96ef78351",
  "20260130000000_counted_prune.sql": "d2a659dd32931631e589143c2d6ecdfd721f1d6b0c50cad2b44ff95bae99a2bd",
  "20260127000000_record_runs.sql": "505306996cc65896a4bc32aeb1ced07f1ae6de8e7761f8484239b25a8743d8f8",
  "20260131000000_run_durations.sql": "0287d6af517ca439dbf13a2e3a0e2467007cab461638f38be20e93c69937d37e",
  "20260127010000_remember_turns.sql": "b828d31947638935b090a7880f8e987a8181da4cd2da98a93f39cd5f78c8eec2",
  "20260127020000_leave_slots.sql": "dab1a94ea69002fbf7432242ac813a36e4a8d2adb067912dcdd9b9a3f2b306fa",
  "20260201000000_delete_accounts.sql": "fdaaf04d79e7471151da21ea8bba0cd92bc8cca0e2df58b41effebbb98dffd88",
  "20260201010000_last_scheduled_runs.sql": "66e4965ccb4b82b3db9d9d7a0f7cb0d316ac525e849be1c1f2d7cde4846a5727",
  "20260206000000_booked_calls.sql": "045ce46eda9619074b6047263cd7c4e9375e6e6016b3ba4fbbcad078aaa110eb",
  "20260202000000_uncounted_calls.sql": "b9cdf9ed077098e390fa9c9d5ba0ded28d0f89d752abffa10764e54bb2a97238",
  "20260203000000_chores.sql": "427b8ad39fd49c8f82371772036241a768b93854e1ee8c89b0e7896706313585",
  "20260205000000_sender_shares.sql": "70d2ee80a7ac35bcc08a360741683300291e7594f98647c7c4f98b094b196f75",
  "20260207000000_callers.sql": "4a324f25f2a320f0e80eb7195b53dfe4e476bd47d93f3f5f73e269cd277adafd",
  "20260208000000_unchecked_trials.sql": "8d1060940693aab7c4275eb76f5b405b1345374a3bc40d965d5fd2e1444c5923",
  "20260210000000_conversation_runs.sql": "70b38e1b5785f36022a781cdb161c0fa59fe88a2a32426e4798de0fa412d43c9",
};

test("a migration that has landed never changes: a correction is a migration of its own", async () => {
  for (const [file, hash] of Object.entries(landed)) {
    const text = await readFile(`${folder}${file}`, "utf8");
    expect(createHash("sha256").update(text).digest("hex"), file).toBe(hash);
  }
});

test("data of an early version is brought level, and what is level stays as it is", async () => {
  const names = [
    "studio_note_knowledge_words",
    "studio_knowledge_by_words",
    "studio_search_knowledge",
    "studio_prune_on_start",
    "studio_delete_runs",
  ];
  const level = await readFile(`${folder}20260108010000_level_early_versions.sql`, "utf8");
  const stack = await startTestStack();
  try {
    await stack.undone(async (transaction) => {
      const definitions = async () =>
        (
          await transaction.query<{ name: string; definition: string }>(
            `select proname as name, pg_get_functiondef(oid) as definition from pg_proc
             where proname = any ($1::text[]) order by proname`,
            [names],
          )
        ).rows;
      const wanted = await definitions();
      expect(wanted.map(({ name }) => name)).toEqual(names.toSorted());
      for (const { definition } of wanted) {
        await transaction.query(definition.replace(/\$function\$\s/, "$function$\n-- As it once was.\n"));
      }
      expect(await definitions()).not.toEqual(wanted);
      await transaction.query(level);
      expect(await definitions()).toEqual(wanted);
    });
  } finally {
    await stack.stop();
  }
});
