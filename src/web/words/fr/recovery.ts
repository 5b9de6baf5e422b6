import { html } from "../../html/html.ts";
import type { RecoveryWords } from "../en/recovery.ts";
import { plural } from "./plural.ts";

export const recoveryWords: RecoveryWords = {
  title: "J’ai perdu tous mes seconds facteurs",
  back: "Retour",
  administrator:
    "Vous administrez ce serveur. Demandez à un autre administrateur de réinitialiser vos seconds facteurs ; il n’y a pas d’autre moyen.",
  lead: plural({
    one: (figure) =>
      `Sans aucun de vos seconds facteurs, vous pouvez en configurer de nouveaux après un délai de ${figure} heure.`,
    other: (figure) =>
      `Sans aucun de vos seconds facteurs, vous pouvez en configurer de nouveaux après un délai de ${figure} heures.`,
  }),
  steps: {
    mailbox: "Nous vous envoyons un code par e-mail, pour vérifier que la boîte aux lettres est la vôtre.",
    mails:
      "Nous vous prévenons par e-mail au début, au milieu et à la fin du délai. Chaque e-mail permet d’annuler l’opération.",
    factors: "Se connecter avec l’un de vos seconds facteurs l’annule également.",
    after:
      "Après le délai, vous revenez dans ce navigateur, vous vous connectez avec votre mot de passe et vous configurez de nouveaux seconds facteurs.",
  },
  ask: "M’envoyer un code par e-mail",
  asked: (email) => html`Nous avons envoyé un code à ${email}.`,
  label: "Code reçu par e-mail",
  help: (time) => `Les chiffres du dernier e-mail. Ils sont valables ${time}.`,
  wrong: "Ce n’est pas le code du dernier e-mail.",
  expired: "Ce code a expiré, ou trop de codes incorrects ont été saisis. Demandez-en un nouveau.",
  throttled: "Aucun code n’a été envoyé, car trop ont été demandés. Réessayez plus tard.",
  begin: "Commencer le délai",
  waiting: (when) => html`Le délai a commencé. Revenez dans ce navigateur après le ${when}.`,
  told: "Un e-mail vous préviendra lorsqu’il sera écoulé. Si vous retrouvez entre-temps l’un de vos seconds facteurs, connectez-vous simplement avec lui.",
  elsewhere: (when) =>
    html`Un délai jusqu’au ${when} a été commencé dans un autre navigateur. Continuez là-bas, ou annulez-le avec le lien de l’e-mail et recommencez ici.`,
  ready: "Le délai est écoulé. Vos anciens seconds facteurs sont supprimés, et vous êtes déconnecté partout.",
  finish: "Configurer de nouveaux seconds facteurs",
  atSignIn: {
    waiting: (when) =>
      html`Vous attendez de nouveaux seconds facteurs. Vous pourrez les configurer dans ce navigateur après le ${when}. Se connecter avec un second facteur existant annule l’attente.`,
    elsewhere: (when) =>
      html`Quelqu’un affirme dans un autre navigateur que tous vos seconds facteurs sont perdus. De nouveaux pourront y être configurés après le ${when}. Se connecter avec un second facteur existant annule cela.`,
    ready: "Le délai est écoulé. Vous pouvez maintenant configurer de nouveaux seconds facteurs.",
    open: "Les configurer",
    look: "À propos du délai",
  },
  banner: {
    says: (when) =>
      html`Quelqu’un affirme avoir perdu les seconds facteurs de votre compte. De nouveaux pourront être configurés après le ${when}.`,
    cancel: "Annuler l’opération",
  },
  link: {
    title: "Conserver vos seconds facteurs",
    lead: "Quelqu’un attend de remplacer les seconds facteurs de votre compte. Si ce n’est pas vous, annulez l’opération.",
    submit: "Annuler l’opération",
    doneTitle: "Opération annulée",
    done: "Vos seconds facteurs sont conservés. Quelqu’un connaît votre mot de passe et peut lire vos e-mails : changez les deux mots de passe.",
    deadTitle: "Rien à annuler",
    dead: "L’opération concernée par ce lien est terminée ou a déjà été annulée.",
    secure: "Sécurisez votre compte",
  },
  code: {
    subject: (server) => `Votre code pour ${server}`,
    says: (server) =>
      `Une personne qui connaît le mot de passe de votre compte sur ${server} affirme en avoir perdu tous les seconds facteurs. Ce code lui permet d’en demander de nouveaux :`,
    caution:
      "Ne le donnez à personne et saisissez-le uniquement là où vous avez commencé à vous connecter. Si ce n’était pas vous, changez votre mot de passe.",
  },
  mails: {
    recovery_started: (when) =>
      `De nouveaux seconds facteurs ne pourront être configurés qu’après le ${when}.`,
    recovery_halfway: (when) =>
      `De nouveaux seconds facteurs ne pourront être configurés qu’après le ${when}.`,
    recovery_ready: (when) =>
      `Ouvrez le navigateur dans lequel vous avez fait la demande et connectez-vous-y. Vous pouvez le faire jusqu’au ${when}.`,
  },
};
