import { html } from "../../html/html.ts";
import type { PasskeyWords } from "../en/passkeys.ts";

export const passkeyWords: PasskeyWords = {
  signIn: "Se connecter avec une clé d’accès",
  use: "Utiliser une clé d’accès",
  anotherWay: "Autre méthode",
  cancelled: "Aucune clé d’accès n’a été utilisée. Réessayez ou choisissez une autre méthode.",
  known: "Cet appareil possède déjà une clé d’accès pour votre compte.",
  unable: "Les clés d’accès nécessitent un navigateur récent avec JavaScript activé.",
  failures: {
    refused: "Cette clé d’accès n’a pas été acceptée. Réessayez ou choisissez une autre méthode.",
    unknown: "Ce serveur ne connaît pas cette clé d’accès. Elle a peut-être été supprimée.",
    expired: "L’opération a pris trop de temps. Veuillez réessayer.",
    second_factor_only:
      "Cette clé d’accès sert seulement à confirmer une connexion. Connectez-vous d’abord avec votre mot de passe, puis utilisez-la.",
    counter:
      "Cette clé d’accès a répondu comme si elle avait été copiée : elle n’a pas été acceptée. Choisissez une autre méthode et remplacez-la.",
    taken: "Cette clé d’accès est déjà enregistrée.",
    too_many: "Vous avez atteint le nombre maximal de clés d’accès. Supprimez-en une d’abord.",
    last_way: "C’est votre seul moyen de vous connecter : elle ne peut pas être supprimée.",
  },
  tooYoung: (time) =>
    `Une clé d’accès créée il y a moins de ${time} ne suffit pas ici. Utilisez-en une plus ancienne ou réessayez plus tard.`,
  card: {
    title: "Clés d’accès",
    lead: "Avec une clé d’accès, vous vous connectez par empreinte digitale, reconnaissance faciale ou avec le code PIN de votre appareil. Personne ne peut la deviner ni vous la soutirer.",
    none: "Vous n’avez pas encore de clé d’accès.",
    name: "Nom",
    synced: "Synchronisée",
    deviceOnly: "Cet appareil uniquement",
    securityKey: "Second facteur uniquement",
    added: "Ajoutée",
    lastUsed: "Dernière utilisation",
    never: "Jamais",
    rename: "Renommer",
    renameOf: (name) => html`Renommer : ${name}`,
    remove: "Supprimer",
    removeOf: (name) => html`Supprimer : ${name}`,
    add: "Ajouter une clé d’accès",
    addKey: "Ajouter une clé de sécurité",
    single:
      "Une seule clé d’accès sur un seul appareil est votre unique moyen de vous connecter. Si vous perdez l’appareil, vous perdez le compte : ajoutez une seconde clé d’accès ou définissez un mot de passe.",
    upgrades:
      "Votre navigateur peut ajouter lui-même une clé d’accès lorsque vous vous connectez avec votre mot de passe et un code. Cela ne vaut que pour ce navigateur.",
    allowUpgrades: "Autoriser ce navigateur à ajouter des clés d’accès",
    forbidUpgrades: "Ne plus ajouter de clés d’accès dans ce navigateur",
  },
  enrol: {
    title: "Ajouter une clé d’accès",
    lead: "Votre navigateur va vous demander une confirmation par empreinte digitale, reconnaissance faciale ou avec le code PIN de votre appareil.",
    keyTitle: "Ajouter une clé de sécurité",
    keyLead: "Une clé de sécurité confirme une connexion par mot de passe. Gardez-la à portée de main.",
    name: "Nom",
    nameHelp: "Il vous permet de la reconnaître dans votre liste.",
    suggested: "Ma clé d’accès",
    suggestedKey: "Ma clé de sécurité",
    submit: "Créer la clé d’accès",
    submitKey: "Enregistrer la clé de sécurité",
  },
  renaming: {
    title: "Renommer la clé d’accès",
    submit: "Enregistrer",
  },
  removing: {
    title: (name) => `Supprimer ${name} ?`,
    lead: "Vous ne pourrez plus vous connecter avec elle. Vous serez déconnecté partout où vous l’avez utilisée pour vous connecter.",
    submit: "Supprimer la clé d’accès",
  },
  first: {
    lead: "Avec une clé d’accès, vous vous connectez par empreinte digitale, reconnaissance faciale ou avec le code PIN de votre appareil, sans mot de passe.",
    submit: "Créer plutôt une clé d’accès",
  },
  upgrade: {
    title: "Un instant",
    lead: "Votre navigateur peut ajouter une clé d’accès pour que vous vous connectiez plus vite la prochaine fois.",
    goOn: "Continuer",
  },
  offer: {
    title: "Connectez-vous plus vite la prochaine fois",
    lead: "Avec une clé d’accès, vous vous connectez par empreinte digitale, reconnaissance faciale ou avec le code PIN de votre appareil, sans mot de passe.",
    later: "Pas maintenant",
  },
};
