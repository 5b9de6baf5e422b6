import type { NoticeWords } from "../en/notices.ts";
import { plural } from "./plural.ts";

export const noticeWords: NoticeWords = {
  kinds: {
    password: {
      subject: (server) => `Ihr Passwort bei ${server} wurde geändert`,
      says: (server, time) =>
        `Das Passwort des Kontos mit dieser Adresse bei ${server} wurde geändert: ${time}.`,
    },
    email: {
      subject: (server) => `Die E-Mail-Adresse Ihres Kontos bei ${server} wurde geändert`,
      says: (server, time) =>
        `Das Konto bei ${server}, zu dem diese Adresse gehörte, hat eine neue Adresse: ${time}. E-Mails zu diesem Konto gehen jetzt dorthin.`,
    },
    email_here: {
      subject: (server) => `Dies ist jetzt die Adresse Ihres Kontos bei ${server}`,
      says: (server, time) =>
        `Ein Konto bei ${server} hat diese Adresse seit: ${time}. Sie melden sich damit an, und E-Mails zu diesem Konto kommen hierher.`,
    },
    factor_added: {
      subject: (server) => `Bei ${server} wurde eine Authenticator-App hinzugefügt`,
      says: (server, time, name) =>
        `Die Authenticator-App „${name}“ wurde zu Ihrem Konto bei ${server} hinzugefügt: ${time}.`,
    },
    factor_removed: {
      subject: (server) => `Bei ${server} wurde eine Authenticator-App entfernt`,
      says: (server, time, name) =>
        `Die Authenticator-App „${name}“ wurde aus Ihrem Konto bei ${server} entfernt: ${time}.`,
    },
    recovery_codes: {
      subject: (server) => `Sie haben neue Wiederherstellungscodes bei ${server}`,
      says: (server, time) =>
        `Für Ihr Konto bei ${server} wurden neue Wiederherstellungscodes erstellt: ${time}. Frühere Codes gelten nicht mehr.`,
    },
    recovery_code_used: {
      subject: (server) => `Bei ${server} wurde ein Wiederherstellungscode verwendet`,
      says: (server, time) =>
        `Ein Wiederherstellungscode Ihres Kontos bei ${server} wurde verwendet: ${time}.`,
    },
    device_remembered: {
      subject: (server) => `Bei ${server} ist ein Browser gespeichert`,
      says: (server, time) =>
        `Ein Browser, der sich bei Ihrem Konto bei ${server} angemeldet hat, ist gespeichert (${time}): Er braucht einige Tage lang keinen zweiten Faktor. Ihr Konto führt solche Browser unter „Sitzungen“ auf.`,
    },
    passkey_added: {
      subject: (server) => `Bei ${server} wurde ein Passkey hinzugefügt`,
      says: (server, time, name) =>
        `Der Passkey „${name}“ wurde zu Ihrem Konto bei ${server} hinzugefügt: ${time}.`,
    },
    passkey_removed: {
      subject: (server) => `Bei ${server} wurde ein Passkey entfernt`,
      says: (server, time, name) =>
        `Der Passkey „${name}“ wurde aus Ihrem Konto bei ${server} entfernt: ${time}.`,
    },
    passkey_copied: {
      subject: (server) => `Bei ${server} wurde möglicherweise ein Passkey kopiert`,
      says: (server, time, name) =>
        `Der Passkey „${name}“ Ihres Kontos bei ${server} wurde abgelehnt (${time}), weil er möglicherweise kopiert wurde. Entfernen Sie ihn und fügen Sie einen neuen hinzu.`,
    },
    link_added: {
      subject: (server) => `Bei ${server} wurde ein weiteres Konto verknüpft`,
      says: (server, time, name) =>
        `Ein Konto bei „${name}“ wurde mit Ihrem Konto bei ${server} verknüpft: ${time}.`,
    },
    link_removed: {
      subject: (server) => `Bei ${server} wurde eine Kontoverknüpfung entfernt`,
      says: (server, time, name) =>
        `Die Verknüpfung Ihres Kontos bei ${server} mit einem Konto bei „${name}“ wurde entfernt: ${time}.`,
    },
    api_key: {
      subject: (server) => `Bei ${server} wurde ein API-Schlüssel erstellt`,
      says: (server, time, name) =>
        `Der API-Schlüssel „${name}“ wurde für Ihr Konto bei ${server} erstellt: ${time}. Programme, die ihn haben, können in Ihrem Namen handeln.`,
    },
    api_key_changed: {
      subject: (server) => `Bei ${server} wurde ein API-Schlüssel geändert`,
      says: (server, time, name) =>
        `Die Berechtigungen oder die Gültigkeit des API-Schlüssels „${name}“ Ihres Kontos bei ${server} wurden geändert: ${time}.`,
    },
    new_device: {
      subject: (server) => `Anmeldung von einem neuen Gerät bei ${server}`,
      says: (server, time) =>
        `Bei Ihrem Konto bei ${server} hat sich jemand mit einem Browser angemeldet, den wir dort noch nicht gesehen haben: ${time}.`,
    },
    wrong_factor: {
      subject: (server) => `Jemand kennt möglicherweise Ihr Passwort bei ${server}`,
      says: (server, time) =>
        `Bei Ihrem Konto bei ${server} wurden das richtige Passwort und danach falsche Codes eingegeben: ${time}.`,
    },
    recovery_started: {
      subject: (server) => `Antrag auf Ersetzen Ihrer zweiten Faktoren bei ${server}`,
      says: (server, time) =>
        `Alle zweiten Faktoren Ihres Kontos bei ${server} wurden als verloren gemeldet: ${time}. Die Meldung wurde mit Ihrem Passwort und einem Code aus diesem Postfach bestätigt.`,
    },
    recovery_halfway: {
      subject: (server) => `Erinnerung: Ihre zweiten Faktoren bei ${server} werden ersetzt`,
      says: (server) =>
        `Der Antrag, die zweiten Faktoren Ihres Kontos bei ${server} zu ersetzen, läuft. Die Hälfte der Wartezeit ist vorbei.`,
    },
    recovery_ready: {
      subject: (server) => `Ihre zweiten Faktoren bei ${server} können jetzt ersetzt werden`,
      says: (server) =>
        `Die Wartezeit, nach der die zweiten Faktoren Ihres Kontos bei ${server} ersetzt werden können, ist vorbei.`,
    },
    recovery_cancelled: {
      subject: (server) => `Das Ersetzen Ihrer zweiten Faktoren bei ${server} wurde abgebrochen`,
      says: (server, time) =>
        `Das Ersetzen der zweiten Faktoren Ihres Kontos bei ${server} wurde abgebrochen: ${time}.`,
    },
    recovery_finished: {
      subject: (server) => `Ihre zweiten Faktoren bei ${server} wurden entfernt`,
      says: (server, time) =>
        `Die Passkeys, Authenticator-Apps und Wiederherstellungscodes Ihres Kontos bei ${server} wurden nach der angekündigten Wartezeit entfernt: ${time}. Sie sind überall abgemeldet.`,
    },
    removal_started: {
      subject: (server) => `Antrag auf Entfernen Ihres Passkeys bei ${server}`,
      says: (server, time) =>
        `Der Passkey Ihres Kontos bei ${server} wurde als verloren gemeldet: ${time}. Die Meldung wurde mit zwei anderen Faktoren und einem Code aus diesem Postfach bestätigt.`,
    },
    removal_halfway: {
      subject: (server) => `Erinnerung: Ihr Passkey bei ${server} wird entfernt`,
      says: (server) =>
        `Der Passkey Ihres Kontos bei ${server} wurde als verloren gemeldet und wird entfernt. Die Hälfte der Wartezeit ist vorbei.`,
    },
    removal_ready: {
      subject: (server) => `Ihr Passkey bei ${server} wird bald entfernt`,
      says: (server) =>
        `Der Passkey Ihres Kontos bei ${server} wurde als verloren gemeldet und wird entfernt. Die Wartezeit ist fast vorbei.`,
    },
    removal_cancelled: {
      subject: (server) => `Das Entfernen Ihres Passkeys bei ${server} wurde abgebrochen`,
      says: (server, time) =>
        `Das Entfernen des Passkeys Ihres Kontos bei ${server} wurde abgebrochen: ${time}.`,
    },
    removal_finished: {
      subject: (server) => `Ein verlorener Passkey wurde bei ${server} entfernt`,
      says: (server, time, name) =>
        `Der Passkey „${name}“ Ihres Kontos bei ${server} wurde nach der angekündigten Wartezeit entfernt: ${time}. Von nun an bestätigen Sie Änderungen an Ihrem Konto mit Ihren anderen Faktoren.`,
    },
    factors_reset: {
      subject: (server) => `Ihre zweiten Faktoren bei ${server} wurden entfernt`,
      says: (server, time) =>
        `Ein Administrator hat die Passkeys, Authenticator-Apps und Wiederherstellungscodes Ihres Kontos bei ${server} entfernt: ${time}. Bei der nächsten Anmeldung erhalten Sie einen Code per E-Mail und können danach neue einrichten.`,
    },
    secured: {
      subject: (server) => `Ihr Konto bei ${server} wurde gesichert`,
      says: (server, time) =>
        `Am ${time} wurde gemeldet, dass Vorgänge in Ihrem Konto bei ${server} nicht von Ihnen waren. Alles, was dort seitdem erstellt wurde, ist widerrufen.`,
    },
    deletion: {
      subject: (server) => `Ihr Konto bei ${server} wird gelöscht`,
      says: (server, time) =>
        `Sie wurden überall abgemeldet, weil Ihr Konto bei ${server} gelöscht werden soll: ${time}.`,
    },
    deleted: {
      subject: (server) => `Ihr Konto bei ${server} ist gelöscht`,
      says: (server, time) => `Das Konto mit dieser Adresse bei ${server} wurde gelöscht: ${time}.`,
    },
  },
  codesLeft: plural({
    one: (figure) => `Sie haben noch ${figure} Wiederherstellungscode.`,
    other: (figure) => `Sie haben noch ${figure} Wiederherstellungscodes.`,
  }),
  withCodes: "Dabei wurden auch Wiederherstellungscodes erstellt.",
  device: (device, address) => `Gerät: ${device}. Adresse: ${address}.`,
  onSystem: (browser, system) => `${browser} unter ${system}`,
  unknownDevice: "unbekannt",
  unknownAddress: "unbekannt",
  own: "Wenn Sie das waren, müssen Sie nichts tun.",
  notMe: "Wenn Sie das nicht waren, sichern Sie sofort Ihr Konto:",
  notMeLink: "Das war ich nicht",
  tellAdministrator: "Wenn Sie das nicht waren, informieren Sie einen Administrator des Servers.",
  endpoint: {
    subject: (owner) => `Ein Webhook-Endpunkt von ${owner} wurde deaktiviert`,
    gone: (owner, time) =>
      `Ein Webhook-Endpunkt von ${owner} wurde am ${time} deaktiviert: Der Empfänger meldet, dass es ihn nicht mehr gibt (410).`,
    failing: (owner, time) =>
      `Ein Webhook-Endpunkt von ${owner} wurde am ${time} deaktiviert: Er nahm drei Tage lang kein Ereignis an.`,
    kept: (position) =>
      `Er hat alle Ereignisse bis Position ${position} erhalten. Spätere bleiben gespeichert. Wählen Sie beim Aktivieren, ob er dort oder mit neuen Ereignissen fortfährt.`,
    link: "Endpunkt öffnen",
  },
  secure: {
    title: "Sichern Sie Ihr Konto",
    lead: "Möglicherweise hat jemand anderes Ihr Konto verwendet. Gehen Sie diese Schritte der Reihe nach durch.",
    password: "Legen Sie ein neues Passwort fest",
    passwordHint: "Damit werden Sie überall abgemeldet, und keine App hat mehr Zugriff.",
    sessions: "Prüfen Sie, wo Sie angemeldet sind",
    sessionsHint: "Beenden Sie jede Sitzung, die Sie nicht kennen.",
    factors: "Prüfen Sie Ihre Anmeldemethoden",
    factorsHint: "Entfernen Sie Passkeys und Authenticator-Apps, die nicht Ihnen gehören.",
    links: "Prüfen Sie Ihre verknüpften Konten",
    linksHint: "Entfernen Sie Konten, die nicht Ihnen gehören.",
    keys: "Prüfen Sie Ihre API-Schlüssel",
    keysHint: "Widerrufen Sie Schlüssel, die Sie nicht erstellt haben.",
    ask: "Sie können sich nicht anmelden, oder die Adresse des Kontos ist nicht mehr Ihre? Informieren Sie einen Administrator des Servers.",
  },
};
