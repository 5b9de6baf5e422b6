import type { ImpactWords } from "../en/impact.ts";
import { plural } from "./plural.ts";

const counted = (one: string, other: string) =>
  plural({ one: (figure) => `${figure} ${one}`, other: (figure) => `${figure} ${other}` });

export const impactWords: ImpactWords = {
  atLeast: (figure) => `mindestens ${figure}`,
  kinds: {
    tokens: counted("Token wird sofort ungültig", "Tokens werden sofort ungültig"),
    people: counted("Person verliert den Zugriff", "Personen verlieren den Zugriff"),
    sessions: counted("Sitzung in einem Browser endet", "Sitzungen in Browsern enden"),
    consents: counted("Freigabe wird zurückgezogen", "Freigaben werden zurückgezogen"),
    secrets: counted("Geheimnis funktioniert nicht mehr", "Geheimnisse funktionieren nicht mehr"),
    apps: counted("App funktioniert nicht mehr", "Apps funktionieren nicht mehr"),
    members: counted("Person ist kein Mitglied mehr", "Personen sind keine Mitglieder mehr"),
    key_pairs: counted("Schlüsselpaar funktioniert nicht mehr", "Schlüsselpaare funktionieren nicht mehr"),
    api_keys: counted("API-Schlüssel funktioniert nicht mehr", "API-Schlüssel funktionieren nicht mehr"),
    service_accounts: counted("Dienstkonto funktioniert nicht mehr", "Dienstkonten funktionieren nicht mehr"),
    linked_accounts: counted("verknüpftes Konto wird vergessen", "verknüpfte Konten werden vergessen"),
    passkeys: counted("Passkey wird entfernt", "Passkeys werden entfernt"),
    authenticator_apps: counted("Authenticator-App wird entfernt", "Authenticator-Apps werden entfernt"),
    recovery_codes: counted(
      "Wiederherstellungscode gilt nicht mehr",
      "Wiederherstellungscodes gelten nicht mehr",
    ),
    apis: counted("API wird ausgeschaltet", "APIs werden ausgeschaltet"),
    providers: counted("Anbieter wird ausgeschaltet", "Anbieter werden ausgeschaltet"),
    invitations: counted("Einladung wird zurückgezogen", "Einladungen werden zurückgezogen"),
    holders: counted("Mitglied verliert die Rolle", "Mitglieder verlieren die Rolle"),
    groups: counted("Gruppe vergibt die Rolle nicht mehr", "Gruppen vergeben die Rolle nicht mehr"),
    group_members: counted("Mitglied verlässt die Gruppe", "Mitglieder verlassen die Gruppe"),
    left_groups: counted("Gruppe verliert dieses Mitglied", "Gruppen verlieren dieses Mitglied"),
  },
};
