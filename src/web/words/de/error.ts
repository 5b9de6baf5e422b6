import type { ErrorWords } from "../en/error.ts";

export const errorWords: ErrorWords = {
  error: "Fehler",
  detail: "Einzelheiten",
  request: "Anfrage",
  reference: "Referenz",
  start: "Zur Startseite",
  kinds: {
    refused: {
      title: "Mit dieser Anfrage stimmt etwas nicht",
      message: "Der Server hat sie abgelehnt. Einzelheiten stehen unten.",
      hint: "Wenn eine Anwendung Sie hierher geschickt hat, brauchen ihre Entwickler die Angaben unten.",
    },
    missing: {
      title: "Seite nicht gefunden",
      message: "Unter dieser Adresse gibt es nichts.",
      hint: "Vielleicht wurde die Adresse falsch eingegeben oder kopiert.",
    },
    busy: {
      title: "Einen Moment bitte",
      message: "Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.",
      hint: "Es ist nichts verloren: Laden Sie diese Seite neu.",
    },
    broken: {
      title: "Hier ist etwas schiefgegangen",
      message: "Auf dem Server ist ein unerwarteter Fehler aufgetreten.",
      hint: "Es liegt nicht an Ihnen. Ein Administrator dieses Servers kann anhand der Nummer der Anfrage mehr herausfinden.",
    },
    foreign_form: {
      title: "Dieses Formular kann nicht angenommen werden",
      message: "Das Formular ist veraltet oder wurde von einer anderen Website gesendet.",
      hint: "Gehen Sie zurück und versuchen Sie es noch einmal.",
    },
    sign_in_ended: {
      title: "Sie sind nicht mehr angemeldet",
      message: "Die Anmeldung ist beendet.",
      hint: "Beginnen Sie in der Anwendung von vorn.",
    },
    client_document_unavailable: {
      title: "Die Anwendung ist nicht erreichbar",
      message: "Diese Anwendung beschreibt sich unter einer eigenen Adresse, die gerade nicht antwortet.",
      hint: "Versuchen Sie es gleich noch einmal. Wenn es nicht besser wird, informieren Sie die Betreiber der Anwendung.",
    },
    unknown_client: {
      title: "Diese Anwendung ist hier nicht registriert",
      message:
        "Sie war hier nie registriert, oder ihre Registrierung wurde entfernt, weil sie nicht benutzt wurde.",
      hint: "Hat sich die Anwendung selbst verbunden, entfernen Sie dort die Verbindung und verbinden Sie sie neu.",
    },
    dead_setup_link: {
      title: "Dieser Link ist abgelaufen oder wurde bereits verwendet",
      message: "Dieser Einrichtungslink kann nicht noch einmal verwendet werden.",
      hint: "Starten Sie den Server neu, dann zeigt er einen neuen an.",
    },
  },
};
