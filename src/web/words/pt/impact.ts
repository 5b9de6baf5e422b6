import type { ImpactWords } from "../en/impact.ts";
import { plural } from "./plural.ts";

const counted = (one: string, other: string) =>
  plural({ one: (figure) => `${figure} ${one}`, other: (figure) => `${figure} ${other}` });

export const impactWords: ImpactWords = {
  atLeast: (figure) => `pelo menos ${figure}`,
  kinds: {
    tokens: counted("token expira imediatamente", "tokens expiram imediatamente"),
    people: counted("pessoa perde o acesso", "pessoas perdem o acesso"),
    sessions: counted("sessão de navegador é encerrada", "sessões de navegador são encerradas"),
    consents: counted("permissão é retirada", "permissões são retiradas"),
    secrets: counted("segredo deixa de funcionar", "segredos deixam de funcionar"),
    apps: counted("aplicativo deixa de funcionar", "aplicativos deixam de funcionar"),
    members: counted("pessoa deixa de ser membro", "pessoas deixam de ser membros"),
    key_pairs: counted("par de chaves deixa de funcionar", "pares de chaves deixam de funcionar"),
    api_keys: counted("chave de API deixa de funcionar", "chaves de API deixam de funcionar"),
    service_accounts: counted("conta de serviço deixa de funcionar", "contas de serviço deixam de funcionar"),
    linked_accounts: counted("conta vinculada é esquecida", "contas vinculadas são esquecidas"),
    passkeys: counted("chave de acesso é removida", "chaves de acesso são removidas"),
    authenticator_apps: counted(
      "aplicativo autenticador é removido",
      "aplicativos autenticadores são removidos",
    ),
    recovery_codes: counted(
      "código de recuperação deixa de funcionar",
      "códigos de recuperação deixam de funcionar",
    ),
    apis: counted("API é desativada", "APIs são desativadas"),
    providers: counted("provedor é desativado", "provedores são desativados"),
    invitations: counted("convite é retirado", "convites são retirados"),
    holders: counted("membro perde a função", "membros perdem a função"),
    groups: counted("grupo deixa de conceder a função", "grupos deixam de conceder a função"),
    group_members: counted("membro sai do grupo", "membros saem do grupo"),
    left_groups: counted("grupo perde este membro", "grupos perdem este membro"),
  },
};
