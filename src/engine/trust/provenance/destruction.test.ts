import { describe, expect, it } from "vitest";
import { destroyingVerbs, isDestroyingVerb } from "./destruction.ts";

const isWanted = (tool: string, said: string) => destroyingVerbs(tool).every(({ wanted }) => wanted.test(said));

describe("S100 tools that take something away", () => {
  it.each([
    "delete_file",
    "bulkDelete",
    "datei_loeschen",
    "supprimer_fichier",
    "borrar_archivo",
    "anularPedido",
    "rmdir",
  ])("%s is one by its name", (tool) => {
    expect(destroyingVerbs(tool)).toHaveLength(1);
  });

  it.each(["send_mail", "bank_transfer", "dropbox_upload", "update_banner", "resilience_report"])(
    "%s is none",
    (tool) => {
      expect(destroyingVerbs(tool)).toEqual([]);
    },
  );

  it.each([
    ["delete_file", "Delete report.docx"],
    ["delete_file", "Lösche report.docx"],
    ["delete_file", "Bitte report.docx löschen"],
    ["delete_file", "Supprimez report.docx"],
    ["delete_file", "Borra report.docx"],
    ["datei_loeschen", "Delete report.docx"],
    ["cancel_booking", "Storniere die Buchung B-12"],
    ["cancel_booking", "Sag die Buchung B-12 bitte ab"],
    ["cancel_booking", "Annule la réservation B-12"],
    ["cancel_booking", "Anula la reserva B-12"],
    ["decline_invite", "Lehne die Einladung von Ann ab."],
    ["reset_password", "Setze mein Passwort zurück."],
  ])("%s is wanted with %j", (tool, said) => {
    expect(isWanted(tool, said)).toBe(true);
  });

  it.each([
    ["delete_file", "Read report.docx, it is quite long"],
    ["delete_file", "Lies die gelöschten Mails"],
    ["delete_file", "Das Hotel ist zwei Kilometer entfernt"],
    ["delete_file", "Storniere die Buchung B-12"],
    ["unsubscribe_list", "Bestelle drei Pizzen"],
    ["reset_password", "Setze Ann auf die Liste. Wir fahren zurück."],
    ["decline_invite", "Lehne dich zurück"],
  ])("%s is not wanted with %j", (tool, said) => {
    expect(isWanted(tool, said)).toBe(false);
  });

  it("knows the word itself in each language, so that a denial of it counts", () => {
    expect(["delete", "Löschen", "supprimer", "borrar", " cancel "].map(isDestroyingVerb)).toEqual(Array(5).fill(true));
    expect(["delete it", "report", ""].map(isDestroyingVerb)).toEqual([false, false, false]);
  });
});
