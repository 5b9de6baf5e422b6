import type { SecurityWords } from "../en/security.ts";

export const securityWords: SecurityWords = {
  lead: "Womit Sie sich anmelden und was zuletzt mit Ihrem Konto geschehen ist.",
  password: {
    have: "Sie können sich mit E-Mail-Adresse und Passwort anmelden.",
    set: "Passwort festlegen",
    single:
      "Sie haben nur eine Möglichkeit, sich anzumelden. Wenn Sie sie verlieren, verlieren Sie das Konto: Legen Sie ein Passwort fest oder fügen Sie eine weitere Anmeldemethode hinzu.",
  },
  recent: {
    title: "Letzte Aktivitäten",
    none: "Bisher wurde nichts aufgezeichnet.",
    what: "Ereignis",
    when: "Zeitpunkt",
    byOther: "Ein Administrator",
    kinds: {
      sign_in: "Angemeldet",
      sign_in_failed: "Fehlgeschlagene Anmeldung",
      password_reset: "Neues Passwort über einen Link per E-Mail festgelegt",
      password_changed: "Passwort geändert",
      email_changed: "E-Mail-Adresse geändert",
      "passkey.created": "Passkey hinzugefügt",
      "passkey.updated": "Passkey umbenannt",
      "passkey.deleted": "Passkey entfernt",
      "passkey.refused": "Passkey abgelehnt",
      "authenticator_app.created": "Authenticator-App hinzugefügt",
      "authenticator_app.updated": "Authenticator-App umbenannt",
      "authenticator_app.deleted": "Authenticator-App entfernt",
      "recovery_codes.created": "Neue Wiederherstellungscodes",
      "recovery_code.used": "Wiederherstellungscode verwendet",
      "linked_account.created": "Konto bei einem Anbieter verknüpft",
      "linked_account.deleted": "Verknüpfung mit einem Anbieter getrennt",
      "user.factors_reset": "Zweite Faktoren und Passkeys zurückgesetzt",
      "user.factor_removed": "Ein zweiter Faktor entfernt",
      "device.created": "Browser gespeichert",
      "device.deleted": "Browser nicht mehr gespeichert",
      "recovery.created": "Wiederherstellung verlorener Faktoren beantragt",
      "recovery.deleted": "Wiederherstellung verlorener Faktoren abgebrochen",
      "recovery.finished": "Verlorene Faktoren durch eine Wiederherstellung entfernt",
    },
  },
};
