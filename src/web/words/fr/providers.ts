import { html } from "../../html/html.ts";
import type { ProviderWords } from "../en/providers.ts";

export const providerWords: ProviderWords = {
  continueWith: (provider) => `Continuer avec ${provider}`,
  lastUsed: "Dernière utilisation",
  or: "ou",
  otherWays: "Autres moyens de connexion",
  tryAgain: "Réessayer",
  begin: (provider) => `Se connecter avec ${provider}`,
  back: "Retour",
  reference: "Pour l’administrateur",
  newAccount: {
    title: "Créez votre compte",
    lead: (provider) =>
      html`Vous vous êtes connecté avec ${provider} et n’avez pas encore de compte ici. Ce compte va être créé :`,
    email: "Adresse e-mail",
    provider: "Vous vous connectez avec",
    account: "Compte d’origine",
    memberOf: "Membre de",
    byLink: (organization) =>
      html`Vous avez une invitation à ${organization}. Pour rejoindre l’organisation, ouvrez le lien de l’e-mail d’invitation une fois le compte créé.`,
    name: "Nom",
    nameError: "Saisissez un nom.",
    emailError:
      "Les comptes de ce serveur ne peuvent pas avoir cette adresse e-mail. Connectez-vous autrement.",
    submit: "Créer le compte",
    cancel: "Annuler",
    existing: "J’ai déjà un compte ici",
  },
  prove: {
    title: "Avez-vous déjà un compte ici ?",
    lead: (provider) =>
      html`Vous arrivez avec un compte ${provider}. Il n’est encore associé à aucun compte de ce serveur.`,
    signIn: "Se connecter comme d’habitude",
    signInLead: "Il vous sera ensuite demandé si vous voulez associer les deux comptes.",
    noMail:
      "Ce serveur ne peut pas vous créer de compte : il n’envoie pas d’e-mails et ne peut donc pas confirmer votre adresse. Si vous n’avez pas de compte ici, demandez-en un à un administrateur.",
    mailLead: "Ou confirmez votre adresse e-mail :",
    email: "Adresse e-mail",
    send: "Envoyer un code",
    code: "Code reçu par e-mail",
    codeLead: (email, time) => html`Nous avons envoyé un code à ${email}. Il est valable ${time}.`,
    useCode: "Continuer",
    sendAgain: "Envoyer un autre code",
  },
  failures: {
    email: "Saisissez une adresse e-mail.",
    wrong_code: "Ce code est incorrect. Vérifiez-le dans l’e-mail.",
    code_ended: "Ce code n’est plus valable. Demandez-en un autre.",
    throttled: "Il y a eu trop de demandes. Réessayez dans quelques minutes.",
    no_mail: "Ce serveur n’envoie pas d’e-mails. Connectez-vous comme d’habitude.",
  },
  offerLink: {
    title: "Associer ces comptes ?",
    lead: (provider, email) =>
      html`Vous pourrez alors aussi vous connecter en tant que ${email} avec votre compte ${provider}.`,
    organization: (provider, organization) =>
      html`Le fournisseur ${provider} de ${organization} pourra alors vous connecter. Les personnes qui le gèrent pourraient se connecter à votre place.`,
    account: "Compte d’origine",
    submit: "Associer",
    skip: "Ne pas associer",
  },
  ask_to_switch: {
    title: "Se connecter sous une autre identité ?",
    lead: (present, other) =>
      html`Vous êtes connecté en tant que ${present}. Ce compte appartient à ${other}.`,
    submit: (other) => html`Continuer en tant que ${other}`,
    stay: (present) => html`Rester ${present}`,
  },
  goOn: {
    title: "Presque terminé",
    lead: (provider) => html`Vous revenez de ${provider}.`,
    submit: "Continuer",
  },
  refusals: {
    failed: {
      title: "La connexion a échoué",
      message: (provider) => `La connexion avec ${provider} a échoué.`,
      hint: "Réessayez ou connectez-vous autrement.",
    },
    unreachable: {
      title: "Pas de réponse",
      message: (provider) => `${provider} ne répond pas pour le moment.`,
      hint: "Connectez-vous autrement ou réessayez plus tard.",
    },
    not_fresh: {
      title: "Veuillez vous reconnecter",
      message: (provider) =>
        `Vous deviez vous connecter de nouveau, mais ${provider} ne vous l’a pas demandé.`,
      hint: "Réessayez ou connectez-vous autrement.",
    },
    cannot_freshen: {
      title: "Connectez-vous autrement",
      message: (provider) =>
        `L’application exige une nouvelle connexion, et ${provider} ne peut pas vous la demander.`,
      hint: "Utilisez votre mot de passe ou une clé d’accès. Si vous n’avez ni l’un ni l’autre, connectez-vous d’abord à votre compte pour en ajouter un.",
    },
    unsolicited: {
      title: "Commencez la connexion ici",
      message: (provider) =>
        `Cette réponse de ${provider} ne correspond à aucune connexion de ce navigateur.`,
      hint: "Elle a peut-être pris trop de temps ou commencé ailleurs. Commencez-la ici.",
    },
    void: {
      title: "Recommencez la connexion",
      message: (provider) => `Votre compte ${provider} a été associé ou dissocié entre-temps.`,
      hint: "Recommencez : la question vous sera posée de nouveau.",
    },
    no_account: {
      title: "Pas encore de compte ici",
      message: (provider) => `${provider} seul ne permet pas de créer un compte ici.`,
      hint: "Si vous avez un compte, connectez-vous autrement. Sinon, demandez-en un à un administrateur.",
    },
    refuse_inactive: {
      title: "Vous ne pouvez pas vous connecter",
      message: (provider) =>
        `Le compte de ce serveur qui correspond à ce compte ${provider} ne peut pas être utilisé.`,
      hint: "Connectez-vous avec un autre compte ou adressez-vous à un administrateur.",
    },
    beyond_reach: {
      title: "Connectez-vous autrement",
      message: (provider) => `${provider} ne permet pas de se connecter à ce compte.`,
      hint: "Une organisation gère ce fournisseur pour ses propres membres, et non pour ceux qui administrent autre chose.",
    },
    linked_elsewhere: {
      title: "Non associé",
      message: (provider) => `Ce compte ${provider} est associé à un autre compte de ce serveur.`,
      hint: "Utilisez un autre compte de ce fournisseur, ou supprimez l’association existante.",
    },
    other_account: {
      title: "Ce n’est pas votre compte associé",
      message: (provider) => `Ce n’est pas le compte ${provider} qui est associé au vôtre.`,
      hint: "Réessayez avec ce compte.",
    },
    throttled: {
      title: "Un instant, s’il vous plaît",
      message: (provider) => `Trop de connexions avec ${provider} ont été commencées.`,
      hint: "Réessayez dans quelques secondes.",
    },
  },
  linking: {
    title: "Associer un autre compte",
    lead: "Vous pourrez ensuite vous connecter avec lui.",
    link: (provider) => `Associer ${provider}`,
    lastWay: "C’est votre seul moyen de vous connecter",
    lastWayLead: "Définissez d’abord un mot de passe, ajoutez une clé d’accès ou associez un autre compte.",
  },
  mail: {
    subject: (server) => `Votre code pour ${server}`,
    lead: (server, provider) =>
      `Quelqu’un veut utiliser cette adresse sur ${server} avec un compte ${provider}. Voici le code :`,
    minutes: (time) => `Il est valable ${time}. Saisissez-le uniquement sur la page qui l’a demandé.`,
    other: "Si ce n’était pas vous, vous n’avez rien à faire : sans le code, rien ne se passe.",
  },
};
