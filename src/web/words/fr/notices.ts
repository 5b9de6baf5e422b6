import type { NoticeWords } from "../en/notices.ts";
import { plural } from "./plural.ts";

export const noticeWords: NoticeWords = {
  kinds: {
    password: {
      subject: (server) => `Votre mot de passe sur ${server} a été modifié`,
      says: (server, time) =>
        `Le mot de passe du compte associé à cette adresse sur ${server} a été modifié le ${time}.`,
    },
    email: {
      subject: (server) => `L’adresse e-mail de votre compte sur ${server} a été modifiée`,
      says: (server, time) =>
        `Le compte qui avait cette adresse sur ${server} en a reçu une autre le ${time}. Les e-mails le concernant y sont désormais envoyés.`,
    },
    email_here: {
      subject: (server) => `Cette adresse est désormais celle de votre compte sur ${server}`,
      says: (server, time) =>
        `Un compte sur ${server} utilise cette adresse depuis le ${time}. Vous vous connectez avec elle, et les e-mails concernant le compte arrivent ici.`,
    },
    factor_added: {
      subject: (server) => `Une application d’authentification a été ajoutée sur ${server}`,
      says: (server, time, name) =>
        `L’application d’authentification « ${name} » a été ajoutée à votre compte sur ${server} le ${time}.`,
    },
    factor_removed: {
      subject: (server) => `Une application d’authentification a été supprimée sur ${server}`,
      says: (server, time, name) =>
        `L’application d’authentification « ${name} » a été supprimée de votre compte sur ${server} le ${time}.`,
    },
    recovery_codes: {
      subject: (server) => `Vous avez de nouveaux codes de récupération sur ${server}`,
      says: (server, time) =>
        `De nouveaux codes de récupération ont été créés pour votre compte sur ${server} le ${time}. Les codes précédents ne sont plus valables.`,
    },
    recovery_code_used: {
      subject: (server) => `Un code de récupération a été utilisé sur ${server}`,
      says: (server, time) =>
        `Un code de récupération de votre compte sur ${server} a été utilisé le ${time}.`,
    },
    device_remembered: {
      subject: (server) => `Un navigateur est mémorisé sur ${server}`,
      says: (server, time) =>
        `Un navigateur qui s’est connecté à votre compte sur ${server} le ${time} est mémorisé : pendant quelques jours, votre second facteur ne lui est pas demandé. Ces navigateurs figurent dans « Sessions ouvertes » de votre compte.`,
    },
    passkey_added: {
      subject: (server) => `Une clé d’accès a été ajoutée sur ${server}`,
      says: (server, time, name) =>
        `La clé d’accès « ${name} » a été ajoutée à votre compte sur ${server} le ${time}.`,
    },
    passkey_removed: {
      subject: (server) => `Une clé d’accès a été supprimée sur ${server}`,
      says: (server, time, name) =>
        `La clé d’accès « ${name} » a été supprimée de votre compte sur ${server} le ${time}.`,
    },
    passkey_copied: {
      subject: (server) => `Une clé d’accès a peut-être été copiée sur ${server}`,
      says: (server, time, name) =>
        `La clé d’accès « ${name} » de votre compte sur ${server} a été refusée le ${time}, car elle a répondu comme s’il en existait une copie. Supprimez-la et ajoutez-en une nouvelle.`,
    },
    link_added: {
      subject: (server) => `Un autre compte a été associé sur ${server}`,
      says: (server, time, name) =>
        `Un compte « ${name} » a été associé à votre compte sur ${server} le ${time}.`,
    },
    link_removed: {
      subject: (server) => `Un compte associé a été supprimé sur ${server}`,
      says: (server, time, name) =>
        `L’association de votre compte sur ${server} avec un compte « ${name} » a été supprimée le ${time}.`,
    },
    api_key: {
      subject: (server) => `Une clé API a été créée sur ${server}`,
      says: (server, time, name) =>
        `La clé API « ${name} » a été créée pour votre compte sur ${server} le ${time}. Les programmes qui la possèdent peuvent agir en votre nom.`,
    },
    api_key_changed: {
      subject: (server) => `Une clé API a été modifiée sur ${server}`,
      says: (server, time, name) =>
        `Les droits ou la durée de validité de la clé API « ${name} » de votre compte sur ${server} ont été modifiés le ${time}.`,
    },
    new_device: {
      subject: (server) => `Connexion depuis un nouvel appareil sur ${server}`,
      says: (server, time) =>
        `Quelqu’un s’est connecté à votre compte sur ${server} le ${time} depuis un navigateur que nous n’avions pas encore vu avec ce compte.`,
    },
    wrong_factor: {
      subject: (server) => `Quelqu’un connaît peut-être votre mot de passe sur ${server}`,
      says: (server, time) =>
        `Le ${time}, le bon mot de passe puis des codes incorrects ont été saisis pour votre compte sur ${server}.`,
    },
    recovery_started: {
      subject: (server) => `Demande de remplacement de vos seconds facteurs sur ${server}`,
      says: (server, time) =>
        `Le ${time}, tous les seconds facteurs de votre compte sur ${server} ont été déclarés perdus. La déclaration a été confirmée avec votre mot de passe et un code reçu dans cette boîte aux lettres.`,
    },
    recovery_halfway: {
      subject: (server) => `Rappel : vos seconds facteurs sur ${server} vont être remplacés`,
      says: (server) =>
        `Une demande de remplacement des seconds facteurs de votre compte sur ${server} est en cours. La moitié du délai est écoulée.`,
    },
    recovery_ready: {
      subject: (server) => `Vos seconds facteurs sur ${server} peuvent maintenant être remplacés`,
      says: (server) =>
        `Le délai au terme duquel les seconds facteurs de votre compte sur ${server} peuvent être remplacés est écoulé.`,
    },
    recovery_cancelled: {
      subject: (server) => `Le remplacement de vos seconds facteurs sur ${server} a été annulé`,
      says: (server, time) =>
        `Le remplacement des seconds facteurs de votre compte sur ${server} a été annulé le ${time}.`,
    },
    recovery_finished: {
      subject: (server) => `Vos seconds facteurs sur ${server} ont été supprimés`,
      says: (server, time) =>
        `Les clés d’accès, applications d’authentification et codes de récupération de votre compte sur ${server} ont été supprimés le ${time}, au terme du délai annoncé. Vous êtes déconnecté partout.`,
    },
    removal_started: {
      subject: (server) => `Demande de suppression de votre clé d’accès sur ${server}`,
      says: (server, time) =>
        `Le ${time}, la clé d’accès de votre compte sur ${server} a été déclarée perdue. La déclaration a été confirmée avec deux autres facteurs et un code reçu dans cette boîte aux lettres.`,
    },
    removal_halfway: {
      subject: (server) => `Rappel : votre clé d’accès sur ${server} va être supprimée`,
      says: (server) =>
        `La clé d’accès de votre compte sur ${server} a été déclarée perdue et va être supprimée. La moitié du délai est écoulée.`,
    },
    removal_ready: {
      subject: (server) => `Votre clé d’accès sur ${server} sera bientôt supprimée`,
      says: (server) =>
        `La clé d’accès de votre compte sur ${server} a été déclarée perdue et va être supprimée. Le délai est presque écoulé.`,
    },
    removal_cancelled: {
      subject: (server) => `La suppression de votre clé d’accès sur ${server} a été annulée`,
      says: (server, time) =>
        `La suppression de la clé d’accès de votre compte sur ${server} a été annulée le ${time}.`,
    },
    removal_finished: {
      subject: (server) => `Une clé d’accès perdue a été supprimée sur ${server}`,
      says: (server, time, name) =>
        `La clé d’accès « ${name} » de votre compte sur ${server} a été supprimée le ${time}, au terme du délai annoncé. Vous confirmez désormais les modifications de votre compte avec vos autres facteurs.`,
    },
    factors_reset: {
      subject: (server) => `Vos seconds facteurs sur ${server} ont été supprimés`,
      says: (server, time) =>
        `Un administrateur a supprimé les clés d’accès, applications d’authentification et codes de récupération de votre compte sur ${server} le ${time}. À votre prochaine connexion, vous recevrez un code par e-mail et pourrez ensuite en configurer de nouveaux.`,
    },
    secured: {
      subject: (server) => `Votre compte sur ${server} a été sécurisé`,
      says: (server, time) =>
        `Le ${time}, il a été signalé que certaines actions dans votre compte sur ${server} n’étaient pas de vous. Tout ce qui y a été créé depuis a été révoqué.`,
    },
    deletion: {
      subject: (server) => `Votre compte sur ${server} va être supprimé`,
      says: (server, time) =>
        `Le ${time}, vous avez été déconnecté partout, car votre compte sur ${server} doit être supprimé.`,
    },
    deleted: {
      subject: (server) => `Votre compte sur ${server} est supprimé`,
      says: (server, time) => `Le compte associé à cette adresse sur ${server} a été supprimé le ${time}.`,
    },
  },
  codesLeft: plural({
    one: (figure) => `Il vous reste ${figure} code de récupération.`,
    other: (figure) => `Il vous reste ${figure} codes de récupération.`,
  }),
  withCodes: "Des codes de récupération ont été créés en même temps.",
  device: (device, address) => `Appareil : ${device}. Adresse : ${address}.`,
  onSystem: (browser, system) => `${browser} sous ${system}`,
  unknownDevice: "inconnu",
  unknownAddress: "inconnue",
  own: "Si c’était vous, vous n’avez rien à faire.",
  notMe: "Si ce n’était pas vous, sécurisez immédiatement votre compte :",
  notMeLink: "Ce n’était pas moi",
  tellAdministrator: "Si ce n’était pas vous, prévenez un administrateur du serveur.",
  endpoint: {
    subject: (owner) => `Une destination de webhooks de ${owner} a été désactivée`,
    gone: (owner, time) =>
      `Une destination de webhooks de ${owner} a été désactivée le ${time} : elle a répondu qu’elle n’existe plus (410).`,
    failing: (owner, time) =>
      `Une destination de webhooks de ${owner} a été désactivée le ${time} : elle n’a accepté aucun événement pendant trois jours.`,
    kept: (position) =>
      `Elle a reçu tous les événements jusqu’à la position ${position}. Les suivants sont conservés. En l’activant, choisissez si elle reprend là ou aux nouveaux événements.`,
    link: "Ouvrir la destination",
  },
  secure: {
    title: "Sécurisez votre compte",
    lead: "Quelqu’un d’autre a peut-être utilisé votre compte. Suivez ces étapes dans l’ordre.",
    password: "Choisissez un nouveau mot de passe",
    passwordHint: "Vous serez déconnecté partout, et plus aucune application n’aura accès.",
    sessions: "Vérifiez où vous êtes connecté",
    sessionsHint: "Fermez toutes les sessions que vous ne reconnaissez pas.",
    factors: "Vérifiez vos moyens de connexion",
    factorsHint: "Supprimez les clés d’accès et applications d’authentification qui ne sont pas à vous.",
    links: "Vérifiez vos comptes associés",
    linksHint: "Supprimez ceux qui ne sont pas à vous.",
    keys: "Vérifiez vos clés API",
    keysHint: "Révoquez celles que vous n’avez pas créées.",
    ask: "Vous ne pouvez pas vous connecter, ou l’adresse du compte n’est plus la vôtre ? Prévenez un administrateur du serveur.",
  },
};
