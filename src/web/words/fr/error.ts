import type { ErrorWords } from "../en/error.ts";

export const errorWords: ErrorWords = {
  error: "Erreur",
  detail: "Détail",
  request: "Requête",
  reference: "Référence",
  start: "Aller à la page d’accueil",
  kinds: {
    refused: {
      title: "Cette requête pose un problème",
      message: "Le serveur l’a refusée. Les détails sont indiqués ci-dessous.",
      hint: "Si une application vous a envoyé ici, ses développeurs auront besoin des informations ci-dessous.",
    },
    missing: {
      title: "Page introuvable",
      message: "Il n’y a rien à cette adresse.",
      hint: "Elle a peut-être été mal saisie ou mal copiée.",
    },
    busy: {
      title: "Un instant, s’il vous plaît",
      message: "Le serveur est occupé. Réessayez dans un instant.",
      hint: "Rien n’est perdu : rechargez cette page.",
    },
    broken: {
      title: "Une erreur s’est produite",
      message: "Le serveur a rencontré une situation inattendue.",
      hint: "Ce n’est pas de votre faute. Un administrateur de ce serveur peut en savoir plus grâce au numéro de la requête.",
    },
    foreign_form: {
      title: "Ce formulaire ne peut pas être accepté",
      message: "Le formulaire n’est plus à jour ou a été envoyé depuis un autre site.",
      hint: "Revenez en arrière et réessayez.",
    },
    sign_in_ended: {
      title: "Vous n’êtes plus connecté",
      message: "La connexion a pris fin.",
      hint: "Recommencez depuis l’application.",
    },
    client_document_unavailable: {
      title: "L’application est injoignable",
      message:
        "Cette application se décrit à une adresse qui lui est propre et qui ne répond pas pour le moment.",
      hint: "Réessayez dans un instant. Si cela persiste, prévenez les responsables de l’application.",
    },
    unknown_client: {
      title: "Cette application n’est pas enregistrée ici",
      message:
        "Elle n’a jamais été enregistrée ici, ou son enregistrement a été supprimé faute d’utilisation.",
      hint: "Si l’application s’est connectée d’elle-même, supprimez-y la connexion, puis reconnectez-la.",
    },
    dead_setup_link: {
      title: "Ce lien a expiré ou a déjà été utilisé",
      message: "Ce lien de configuration ne peut pas être réutilisé.",
      hint: "Redémarrez le serveur pour en obtenir un autre.",
    },
  },
};
