import type { NoticeWords } from "../en/notices.ts";
import { plural } from "./plural.ts";

export const noticeWords: NoticeWords = {
  kinds: {
    password: {
      subject: (server) => `Sua senha em ${server} foi alterada`,
      says: (server, time) => `A senha da conta com este endereço em ${server} foi alterada em ${time}.`,
    },
    email: {
      subject: (server) => `O e-mail da sua conta em ${server} foi alterado`,
      says: (server, time) =>
        `A conta que tinha este endereço em ${server} recebeu outro em ${time}. As mensagens sobre ela agora vão para lá.`,
    },
    email_here: {
      subject: (server) => `Este agora é o endereço da sua conta em ${server}`,
      says: (server, time) =>
        `Uma conta em ${server} usa este endereço desde ${time}. Você faz login com ele, e as mensagens sobre a conta chegam aqui.`,
    },
    factor_added: {
      subject: (server) => `Um aplicativo autenticador foi adicionado em ${server}`,
      says: (server, time, name) =>
        `O aplicativo autenticador “${name}” foi adicionado à sua conta em ${server} em ${time}.`,
    },
    factor_removed: {
      subject: (server) => `Um aplicativo autenticador foi removido em ${server}`,
      says: (server, time, name) =>
        `O aplicativo autenticador “${name}” foi removido da sua conta em ${server} em ${time}.`,
    },
    recovery_codes: {
      subject: (server) => `Você tem novos códigos de recuperação em ${server}`,
      says: (server, time) =>
        `Novos códigos de recuperação foram criados para sua conta em ${server} em ${time}. Os códigos anteriores não são mais válidos.`,
    },
    recovery_code_used: {
      subject: (server) => `Um código de recuperação foi usado em ${server}`,
      says: (server, time) => `Um código de recuperação da sua conta em ${server} foi usado em ${time}.`,
    },
    device_remembered: {
      subject: (server) => `Um navegador foi lembrado em ${server}`,
      says: (server, time) =>
        `Um navegador que fez login na sua conta em ${server} em ${time} foi lembrado: por alguns dias, seu segundo fator não é solicitado nele. Sua conta lista esses navegadores em “Sessões”.`,
    },
    passkey_added: {
      subject: (server) => `Uma chave de acesso foi adicionada em ${server}`,
      says: (server, time, name) =>
        `A chave de acesso “${name}” foi adicionada à sua conta em ${server} em ${time}.`,
    },
    passkey_removed: {
      subject: (server) => `Uma chave de acesso foi removida em ${server}`,
      says: (server, time, name) =>
        `A chave de acesso “${name}” foi removida da sua conta em ${server} em ${time}.`,
    },
    passkey_copied: {
      subject: (server) => `Uma chave de acesso pode ter sido copiada em ${server}`,
      says: (server, time, name) =>
        `A chave de acesso “${name}” da sua conta em ${server} foi recusada em ${time}, porque respondeu como se houvesse uma cópia dela. Remova-a e adicione uma nova.`,
    },
    link_added: {
      subject: (server) => `Outra conta foi vinculada em ${server}`,
      says: (server, time, name) =>
        `Uma conta em “${name}” foi vinculada à sua conta em ${server} em ${time}.`,
    },
    link_removed: {
      subject: (server) => `Uma conta vinculada foi removida em ${server}`,
      says: (server, time, name) =>
        `O vínculo da sua conta em ${server} com uma conta em “${name}” foi removido em ${time}.`,
    },
    api_key: {
      subject: (server) => `Uma chave de API foi criada em ${server}`,
      says: (server, time, name) =>
        `A chave de API “${name}” foi criada para sua conta em ${server} em ${time}. Programas que a tenham podem agir em seu nome.`,
    },
    api_key_changed: {
      subject: (server) => `Uma chave de API foi alterada em ${server}`,
      says: (server, time, name) =>
        `As permissões ou a validade da chave de API “${name}” da sua conta em ${server} foram alteradas em ${time}.`,
    },
    new_device: {
      subject: (server) => `Login em um novo dispositivo em ${server}`,
      says: (server, time) =>
        `Sua conta em ${server} foi usada em ${time} para fazer login em um navegador que ainda não tínhamos visto com ela.`,
    },
    wrong_factor: {
      subject: (server) => `Alguém pode saber sua senha em ${server}`,
      says: (server, time) =>
        `Em ${time}, a senha correta e depois códigos incorretos foram informados para sua conta em ${server}.`,
    },
    recovery_started: {
      subject: (server) => `Solicitação para substituir seus segundos fatores em ${server}`,
      says: (server, time) =>
        `Em ${time}, foi informada a perda de todos os segundos fatores da sua conta em ${server}. A informação foi confirmada com sua senha e um código desta caixa de entrada.`,
    },
    recovery_halfway: {
      subject: (server) => `Lembrete: seus segundos fatores em ${server} serão substituídos`,
      says: (server) =>
        `Há uma solicitação pendente para substituir os segundos fatores da sua conta em ${server}. Metade do prazo já passou.`,
    },
    recovery_ready: {
      subject: (server) => `Seus segundos fatores em ${server} já podem ser substituídos`,
      says: (server) =>
        `Terminou o prazo após o qual os segundos fatores da sua conta em ${server} podem ser substituídos.`,
    },
    recovery_cancelled: {
      subject: (server) => `A substituição dos seus segundos fatores em ${server} foi cancelada`,
      says: (server, time) =>
        `A substituição dos segundos fatores da sua conta em ${server} foi cancelada em ${time}.`,
    },
    recovery_finished: {
      subject: (server) => `Seus segundos fatores em ${server} foram removidos`,
      says: (server, time) =>
        `As chaves de acesso, os aplicativos autenticadores e os códigos de recuperação da sua conta em ${server} foram removidos em ${time}, após o prazo informado. Todas as suas sessões foram encerradas.`,
    },
    removal_started: {
      subject: (server) => `Solicitação para remover sua chave de acesso em ${server}`,
      says: (server, time) =>
        `Em ${time}, foi informada a perda da chave de acesso da sua conta em ${server}. A informação foi confirmada com outros dois fatores e um código desta caixa de entrada.`,
    },
    removal_halfway: {
      subject: (server) => `Lembrete: sua chave de acesso em ${server} será removida`,
      says: (server) =>
        `A chave de acesso da sua conta em ${server} será removida, porque foi informada como perdida. Metade do prazo já passou.`,
    },
    removal_ready: {
      subject: (server) => `Sua chave de acesso em ${server} será removida em breve`,
      says: (server) =>
        `A chave de acesso da sua conta em ${server} será removida, porque foi informada como perdida. O prazo está quase no fim.`,
    },
    removal_cancelled: {
      subject: (server) => `A remoção da sua chave de acesso em ${server} foi cancelada`,
      says: (server, time) =>
        `A remoção da chave de acesso da sua conta em ${server} foi cancelada em ${time}.`,
    },
    removal_finished: {
      subject: (server) => `Uma chave de acesso perdida foi removida em ${server}`,
      says: (server, time, name) =>
        `A chave de acesso “${name}” da sua conta em ${server} foi removida em ${time}, após o prazo informado. A partir de agora, você confirma as alterações da sua conta com seus outros fatores.`,
    },
    factors_reset: {
      subject: (server) => `Seus segundos fatores em ${server} foram removidos`,
      says: (server, time) =>
        `Um administrador removeu as chaves de acesso, os aplicativos autenticadores e os códigos de recuperação da sua conta em ${server} em ${time}. No próximo login, você recebe um código por e-mail e depois pode configurar novos.`,
    },
    secured: {
      subject: (server) => `Sua conta em ${server} foi protegida`,
      says: (server, time) =>
        `Em ${time}, foi informado que certas ações na sua conta em ${server} não foram suas. Tudo o que foi criado desde então foi revogado.`,
    },
    deletion: {
      subject: (server) => `Sua conta em ${server} será excluída`,
      says: (server, time) =>
        `Em ${time}, todas as suas sessões foram encerradas, porque sua conta em ${server} será excluída.`,
    },
    deleted: {
      subject: (server) => `Sua conta em ${server} foi excluída`,
      says: (server, time) => `A conta com este endereço em ${server} foi excluída em ${time}.`,
    },
  },
  codesLeft: plural({
    one: (figure) => `Resta ${figure} código de recuperação.`,
    other: (figure) => `Restam ${figure} códigos de recuperação.`,
  }),
  withCodes: "Códigos de recuperação foram criados junto com ele.",
  device: (device, address) => `Dispositivo: ${device}. Endereço: ${address}.`,
  onSystem: (browser, system) => `${browser} no ${system}`,
  unknownDevice: "desconhecido",
  unknownAddress: "desconhecido",
  own: "Se foi você, não precisa fazer nada.",
  notMe: "Se não foi você, proteja sua conta imediatamente:",
  notMeLink: "Não fui eu",
  tellAdministrator: "Se não foi você, avise um administrador do servidor.",
  endpoint: {
    subject: (owner) => `Um destino de webhooks de ${owner} foi desativado`,
    gone: (owner, time) =>
      `Um destino de webhooks de ${owner} foi desativado em ${time}: o receptor respondeu que não existe mais (410).`,
    failing: (owner, time) =>
      `Um destino de webhooks de ${owner} foi desativado em ${time}: não aceitou nenhum evento durante três dias.`,
    kept: (position) =>
      `Ele recebeu todos os eventos até a posição ${position}. Os seguintes são mantidos. Ao ativá-lo, escolha se continua dali ou com novos eventos.`,
    link: "Abrir o destino",
  },
  secure: {
    title: "Proteja sua conta",
    lead: "Outra pessoa pode ter usado sua conta. Siga estas etapas na ordem.",
    password: "Escolha uma nova senha",
    passwordHint: "Todas as suas sessões são encerradas, e nenhum aplicativo mantém o acesso.",
    sessions: "Veja onde você está conectado",
    sessionsHint: "Encerre todas as sessões que não reconhecer.",
    factors: "Veja seus métodos de login",
    factorsHint: "Remova chaves de acesso e aplicativos autenticadores que não sejam seus.",
    links: "Veja suas contas vinculadas",
    linksHint: "Remova as que não forem suas.",
    keys: "Veja suas chaves de API",
    keysHint: "Revogue as que você não criou.",
    ask: "Não consegue entrar, ou o endereço da conta não é mais seu? Avise um administrador do servidor.",
  },
};
