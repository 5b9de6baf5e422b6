import { html } from "../../html/html.ts";
import type { ProviderWords } from "../en/providers.ts";

export const providerWords: ProviderWords = {
  continueWith: (provider) => `Weiter mit ${provider}`,
  lastUsed: "Zuletzt verwendet",
  or: "oder",
  otherWays: "Andere Anmeldemethoden",
  tryAgain: "Erneut versuchen",
  begin: (provider) => `Mit ${provider} anmelden`,
  back: "Zurück",
  reference: "Für den Administrator",
  newAccount: {
    title: "Konto erstellen",
    lead: (provider) =>
      html`Sie haben sich mit ${provider} angemeldet und haben hier noch kein Konto. Dieses Konto wird erstellt:`,
    email: "E-Mail-Adresse",
    provider: "Anmeldung mit",
    account: "Konto dort",
    memberOf: "Mitglied von",
    byLink: (organization) =>
      html`Sie haben eine Einladung zu ${organization}. Öffnen Sie nach dem Erstellen des Kontos den Link in der Einladungsmail, um beizutreten.`,
    name: "Name",
    nameError: "Geben Sie einen Namen ein.",
    emailError:
      "Konten auf diesem Server können diese E-Mail-Adresse nicht haben. Melden Sie sich auf andere Weise an.",
    submit: "Konto erstellen",
    cancel: "Abbrechen",
    existing: "Ich habe hier bereits ein Konto",
  },
  prove: {
    title: "Haben Sie hier schon ein Konto?",
    lead: (provider) =>
      html`Sie kommen mit einem Konto bei ${provider}. Es ist noch mit keinem Konto auf diesem Server verknüpft.`,
    signIn: "Wie gewohnt anmelden",
    signInLead: "Danach werden Sie gefragt, ob Sie die beiden Konten verknüpfen möchten.",
    noMail:
      "Dieser Server kann kein Konto für Sie erstellen, weil er keine E-Mails versendet und Ihre Adresse deshalb nicht bestätigen kann. Wenn Sie hier noch kein Konto haben, wenden Sie sich an einen Administrator.",
    mailLead: "Oder bestätigen Sie Ihre E-Mail-Adresse:",
    email: "E-Mail-Adresse",
    send: "Code senden",
    code: "Code aus der E-Mail",
    codeLead: (email, time) => html`Wir haben einen Code an ${email} gesendet. Er ist ${time} gültig.`,
    useCode: "Weiter",
    sendAgain: "Neuen Code senden",
  },
  failures: {
    email: "Geben Sie eine E-Mail-Adresse ein.",
    wrong_code: "Dieser Code ist falsch. Sehen Sie noch einmal in der E-Mail nach.",
    code_ended: "Dieser Code ist nicht mehr gültig. Lassen Sie sich einen neuen senden.",
    throttled: "Es gab zu viele Anfragen. Versuchen Sie es in ein paar Minuten wieder.",
    no_mail: "Dieser Server versendet keine E-Mails. Melden Sie sich wie gewohnt an.",
  },
  offerLink: {
    title: "Diese Konten verknüpfen?",
    lead: (provider, email) =>
      html`Danach können Sie sich als ${email} auch mit Ihrem Konto bei ${provider} anmelden.`,
    organization: (provider, organization) =>
      html`${provider} von ${organization} kann Sie dann anmelden. Wer diesen Anbieter betreibt, könnte sich als Sie anmelden.`,
    account: "Konto dort",
    submit: "Verknüpfen",
    skip: "Nicht verknüpfen",
  },
  ask_to_switch: {
    title: "Als andere Person anmelden?",
    lead: (present, other) => html`Sie sind als ${present} angemeldet. Dieses Konto gehört zu ${other}.`,
    submit: (other) => html`Als ${other} fortfahren`,
    stay: (present) => html`Als ${present} angemeldet bleiben`,
  },
  goOn: {
    title: "Fast geschafft",
    lead: (provider) => html`Sie kommen von ${provider} zurück.`,
    submit: "Weiter",
  },
  refusals: {
    failed: {
      title: "Die Anmeldung hat nicht funktioniert",
      message: (provider) => `Die Anmeldung mit ${provider} ist fehlgeschlagen.`,
      hint: "Versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",
    },
    unreachable: {
      title: "Keine Antwort",
      message: (provider) => `${provider} antwortet gerade nicht.`,
      hint: "Melden Sie sich auf andere Weise an oder versuchen Sie es später wieder.",
    },
    not_fresh: {
      title: "Bitte melden Sie sich erneut an",
      message: (provider) =>
        `Sie sollten sich erneut anmelden, aber ${provider} hat Sie nicht dazu aufgefordert.`,
      hint: "Versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",
    },
    cannot_freshen: {
      title: "Melden Sie sich auf andere Weise an",
      message: (provider) =>
        `Die Anwendung verlangt eine neue Anmeldung, und ${provider} kann Sie nicht dazu auffordern.`,
      hint: "Verwenden Sie Ihr Passwort oder einen Passkey. Wenn Sie beides nicht haben, melden Sie sich zuerst in Ihrem Konto an und richten Sie es dort ein.",
    },
    unsolicited: {
      title: "Beginnen Sie die Anmeldung hier",
      message: (provider) => `Diese Antwort von ${provider} gehört zu keiner Anmeldung in diesem Browser.`,
      hint: "Vielleicht hat es zu lange gedauert oder wurde anderswo begonnen. Beginnen Sie hier.",
    },
    void: {
      title: "Beginnen Sie die Anmeldung erneut",
      message: (provider) => `Ihr Konto bei ${provider} wurde in der Zwischenzeit verknüpft oder getrennt.`,
      hint: "Beginnen Sie von vorn, dann werden Sie noch einmal gefragt.",
    },
    no_account: {
      title: "Hier gibt es noch kein Konto",
      message: (provider) => `Mit ${provider} allein können Sie hier kein Konto erstellen.`,
      hint: "Wenn Sie ein Konto haben, melden Sie sich auf andere Weise an. Sonst wenden Sie sich an einen Administrator.",
    },
    refuse_inactive: {
      title: "Sie können sich nicht anmelden",
      message: (provider) =>
        `Das Konto auf diesem Server, das zu diesem Konto bei ${provider} gehört, kann nicht verwendet werden.`,
      hint: "Melden Sie sich mit einem anderen Konto an oder wenden Sie sich an einen Administrator.",
    },
    beyond_reach: {
      title: "Melden Sie sich auf andere Weise an",
      message: (provider) => `Mit ${provider} können Sie sich bei diesem Konto nicht anmelden.`,
      hint: "Eine Organisation betreibt diesen Anbieter für ihre eigenen Mitglieder, aber nicht für Personen, die noch anderes verwalten.",
    },
    linked_elsewhere: {
      title: "Nicht verknüpft",
      message: (provider) =>
        `Dieses Konto bei ${provider} ist mit einem anderen Konto auf diesem Server verknüpft.`,
      hint: "Verwenden Sie dort ein anderes Konto oder trennen Sie die bestehende Verknüpfung.",
    },
    other_account: {
      title: "Nicht Ihr verknüpftes Konto",
      message: (provider) => `Das ist nicht das Konto bei ${provider}, das mit Ihrem verknüpft ist.`,
      hint: "Versuchen Sie es noch einmal mit diesem Konto.",
    },
    throttled: {
      title: "Einen Moment bitte",
      message: (provider) => `Es wurden zu viele Anmeldungen mit ${provider} begonnen.`,
      hint: "Versuchen Sie es in ein paar Sekunden wieder.",
    },
  },
  linking: {
    title: "Weiteres Konto verknüpfen",
    lead: "Danach können Sie sich damit anmelden.",
    link: (provider) => `${provider} verknüpfen`,
    lastWay: "Dies ist Ihre einzige Anmeldemethode",
    lastWayLead:
      "Legen Sie zuerst ein Passwort fest, fügen Sie einen Passkey hinzu oder verknüpfen Sie ein weiteres Konto.",
  },
  mail: {
    subject: (server) => `Ihr Code für ${server}`,
    lead: (server, provider) =>
      `Jemand möchte diese Adresse bei ${server} zusammen mit einem Konto bei ${provider} verwenden. Der Code lautet:`,
    minutes: (time) => `Er ist ${time} gültig. Geben Sie ihn nur auf der Seite ein, die danach gefragt hat.`,
    other: "Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne den Code geschieht nichts.",
  },
};
