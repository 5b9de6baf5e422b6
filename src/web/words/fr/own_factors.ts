import { html } from "../../html/html.ts";
import type { OwnFactorsWords } from "../en/own_factors.ts";

export const ownFactorsWords: OwnFactorsWords = {
  apps: {
    title: "Applications d’authentification",
    lead: "Une application sur votre téléphone affiche un code, demandé après votre mot de passe.",
    none: "Vous n’avez pas encore d’application d’authentification.",
    name: "Nom",
    added: "Ajoutée",
    lastUsed: "Dernière utilisation",
    never: "Pas encore",
    rename: "Renommer",
    renameOf: (name) => html`Renommer : ${name}`,
    remove: "Supprimer",
    removeOf: (name) => html`Supprimer : ${name}`,
    add: "Ajouter une application d’authentification",
  },
  enrol: {
    title: "Ajouter une application d’authentification",
    lead: (time) =>
      `Toute application de codes à usage unique convient. Vous avez ${time} pour lui donner cette clé.`,
    scan: "Scannez l’image",
    qr: "La clé sous forme de code QR",
    type: "Ou saisissez la clé",
    open: "Ouvrir dans une application de cet appareil",
    name: "Nom de l’application ou de l’appareil",
    optionalName: "Nom de l’application ou de l’appareil (facultatif)",
    nameHelp: "Il distingue vos applications, par exemple : mon téléphone.",
    suggested: "Application d’authentification",
    tooMany:
      "Vous avez atteint le nombre maximal d’applications d’authentification. Supprimez-en une d’abord.",
    submit: "Ajouter",
    cancel: "Annuler",
  },
  mailbox: {
    title: "Confirmez votre boîte aux lettres",
    lead: (time) =>
      `Vous utilisez cet appareil depuis moins de ${time} : un code par e-mail est également nécessaire.`,
    sent: (email) => html`Un code vient d’être envoyé à ${email}.`,
    code: "Code reçu par e-mail",
    submit: "Continuer",
    wrong: "Ce n’est pas le code du dernier e-mail.",
    ended: "Ce code a expiré ou a été essayé trop souvent. Recommencez.",
    too_many: "Trop de codes ont été envoyés. Réessayez plus tard.",
    back: "Retour",
    noMailTitle: "Pas encore sur cet appareil",
    noMail: (time) =>
      `Ce serveur n’envoie pas d’e-mails : la première clé d’accès ou application d’authentification exige donc un appareil que vous utilisez depuis au moins ${time}. Cela vous protège si quelqu’un apprend votre mot de passe.`,
    noMailFrom: (when) => html`Sur cet appareil, ce sera possible à partir de : ${when}.`,
    noMailUnknown: "Sur cet appareil, déconnectez-vous d’abord, puis reconnectez-vous.",
    mailSubject: (server) => `Votre code pour ${server}`,
    mailAsked: {
      factor: (server) =>
        `Une personne connectée à votre compte sur ${server} veut ajouter une clé d’accès ou une application d’authentification. Si c’est vous, saisissez ce code :`,
      email: (server) =>
        `Une personne connectée à votre compte sur ${server} veut en changer l’adresse e-mail. Si c’est vous, saisissez ce code :`,
    },
    mailIgnore:
      "Si ce n’était pas vous, quelqu’un connaît votre mot de passe : changez-le et ne donnez ce code à personne.",
  },
  renaming: { title: "Renommer l’application d’authentification", submit: "Renommer" },
  removing: {
    title: (name) => `Supprimer ${name} ?`,
    lead: "Ses codes ne permettront plus de vous connecter. Vos autres facteurs restent inchangés.",
    lastLead:
      "C’est votre dernier second facteur : seul le premier facteur protégera alors votre compte, et vos codes de récupération ne seront plus valables.",
    submit: "Supprimer",
  },
  codes: {
    title: "Codes de récupération",
    lead: "Chacun remplace une fois un second facteur perdu.",
    made: (day) => html`Créés le ${day}.`,
    none: "Vous n’avez pas encore de codes de récupération.",
    allUsed: "Vous avez utilisé tous vos codes de récupération.",
    few: "Il en reste peu. Créez-en de nouveaux à temps.",
    alone:
      "Vous n’avez qu’un second facteur. Sans lui, seul un administrateur peut vous aider : créez des codes de récupération ou ajoutez un autre facteur.",
    make: "Créer de nouveaux codes",
    makeFirst: "Créer des codes de récupération",
    newTitle: "Vos codes de récupération",
    newLead: "Imprimez-les ou conservez-les avec vos mots de passe. Ils ne sont affichés que maintenant.",
    finishAdds: (name) => html`Terminez cette page pour activer les codes et ajouter « ${name} ».`,
    finishFirst: "Terminez cette page pour activer les codes.",
    finishReplaces: "Terminez cette page pour activer les codes. Ils remplaceront alors les précédents.",
    shownBefore:
      "Les codes ont déjà été affichés une fois. Si vous ne les avez pas conservés, créez-en d’autres.",
    stored: "J’ai conservé ces codes",
    finish: "Terminer",
    makeOthers: "Créer d’autres codes",
  },
  waiting: {
    title: "Pas encore ajouté",
    lead: (name, when) =>
      html`« ${name} » fonctionnera une fois vos codes de récupération conservés. Terminez avant : ${when}.`,
    discard: "Ne pas ajouter",
  },
  undo: {
    title: "Ce n’était pas vous ?",
    lead: "Tout ce qui a été créé avec votre compte depuis cette connexion cesse de fonctionner. Tous les appareils sont déconnectés, et vous recevez par e-mail un lien pour un nouveau mot de passe.",
    submit: "Ce n’était pas moi",
    doneTitle: "Votre compte est sécurisé",
    doneLead:
      "Tous les appareils sont déconnectés, et ce qui a été créé depuis cette connexion ne fonctionne plus.",
    done: "Quelqu’un connaît peut-être votre mot de passe : choisissez-en un autre avec le lien reçu dans votre boîte aux lettres.",
    moved:
      "Votre compte a désormais une autre adresse. Si vous ne l’avez pas changée, utilisez le lien de l’e-mail qui annonce cette modification.",
    reset: "Demander un autre lien",
    deadTitle: "Ce lien a déjà été utilisé ou a expiré",
    dead: (time) => `Un tel lien fonctionne une fois, pendant ${time}.`,
    secure: "Sécurisez votre compte",
  },
};
