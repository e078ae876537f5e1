/** A way of taking something away, as tools are named and as people ask for it. */
interface Destruction {
  /** English verbs; each stands for itself alone. */
  english: string;
  /** Beginnings of words in tools' names: German, French, Spanish. */
  names: string;
  /** What people say for any of the English verbs: German, French, Spanish. */
  said: string;
}

/** German verbs that come apart: "Lehne die Anfrage von Ann ab." */
const apart = (verb: string, particle: string) => String.raw`${verb}(?=[^.!?\n]{1,80}\s${particle}(?!\p{L}))`;

const destructions: readonly Destruction[] = [
  {
    english: "bulkdelete clear delete destroy discard drop erase purge remove rm trash truncate wipe",
    names: "loesch losch entfern vernicht supprim efface detrui enlev borra elimina suprim quitar destru vaciar",
    said: "lösch(?:e|en|t)?|entfern(?:e|en)|vernicht(?:e|en|et)|supprime[rz]?|efface[rz]?|détrui(?:s|sez|re)|enlève|enleve[rz]|borr(?:a|ar|ad|e|en)|elimin(?:a|ar|ad|e|en)|suprim(?:e|ir|a|an)|quit(?:a|ar|ad|en)|destru(?:ye|ya|ir)",
  },
  {
    english: "cancel expire revoke terminate void",
    names: "storn widerruf kuendig kundig annul resilier revoqu anula revoca",
    said: `stornier(?:e|en|t)?|widerruf(?:e|en|t)?|kündig(?:e|en|t)?|absagen|${apart("sag(?:e|t)?", "ab")}|annule[rz]?|résilie[rz]?|révoque[rz]?|cancel(?:a|ar|ad|e|en)|anul(?:a|ar|ad|e|en)|revo(?:ca|car|cad|que)`,
  },
  {
    english: "archive",
    names: "archivi archiva",
    said: "archivier(?:e|en|t)?|archive[rz]|archiv(?:a|ar|ad)",
  },
  {
    english: "decline reject",
    names: "ablehn refus rejet rechaz",
    said: `ablehnen|${apart("lehn(?:e|t)?", "ab")}|refuse[rz]?|rejette|rejete[rz]|rechaz(?:a|ar|ad)|rechace`,
  },
  {
    english: "ban disable kick",
    names: "sperr verbann deaktiv expuls desactiv",
    said: "sperr(?:e|en|t)|verbann(?:e|en|t)|deaktivier(?:e|en|t)?|bannis(?:sez)?|bannir|expulse[rz]?|désactive[rz]?|expuls(?:a|ar|ad|e)|desactiv(?:a|ar|ad|e)",
  },
  {
    english: "overwrite reset",
    names: "zuruecksetz zurucksetz ueberschreib uberschreib reinitialis ecrase restablec sobrescrib",
    said: `zurücksetzen|${apart("setz(?:e|t)?", "zurück")}|überschreib(?:e|en|t)?|réinitialise[rz]?|écrase[rz]?|restable(?:ce|cer|ced|zca)|sobrescrib(?:e|ir|a)`,
  },
  {
    english: "unsubscribe",
    names: "abmeld abbestell desabonn desuscrib",
    said: `abmelden|${apart("meld(?:e|et)?", "ab")}|abbestellen|${apart("bestell(?:e|t)?", "ab")}|désabonne[rz]?|desuscrib(?:e|ir)`,
  },
  { english: "uninvite unlink unpublish unshare", names: "", said: "" },
];

/** Words of tools' names that only begin like a verb. */
const others = /^(?:band|bank|banner|clearbit|dropbox|dropdown|kickoff)/;

/** The word for taking something away that a tool's name has, and how people say that they want it. */
interface DestroyingVerb {
  prefix: string;
  wanted: RegExp;
}

const whole = (alternatives: string) => new RegExp(String.raw`(?<![\p{L}\d_])(?:${alternatives})(?![\p{L}\d_])`, "iu");
const either = (...parts: string[]) => parts.filter((part) => part !== "").join("|");
const listed = (words: string) => words.split(" ").filter((word) => word !== "");

const verbs: readonly DestroyingVerb[] = destructions.flatMap(({ english, names, said }) => [
  ...listed(english).map((prefix) => ({ prefix, wanted: whole(either(prefix, said)) })),
  ...listed(names).map((prefix) => ({ prefix, wanted: whole(either(...listed(english), said)) })),
]);
/** Characters; longer values are not searched. */
const longestVerb = 20;
const anyVerb = whole(either(...destructions.flatMap(({ english, said }) => [...listed(english), said])));

/** Whether a value is the word for taking something away. */
export function isDestroyingVerb(word: string): boolean {
  const text = word.trim();
  return text.length <= longestVerb && anyVerb.exec(text)?.[0] === text;
}

/** The verbs in a tool's name that take something away: "delete", where it is `delete_file`. */
export function destroyingVerbs(tool: string): DestroyingVerb[] {
  const words = tool
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.flatMap((word) =>
    others.test(word) ? [] : (verbs.find(({ prefix }) => word.startsWith(prefix)) ?? []),
  );
}
