// A login provider on loopback with a client `sedge`; each login may have any password. Says its issuer once it listens.
//   node provider.mjs REDIRECT SECRET
import {generateKeyPairSync} from 'node:crypto';
import {createServer} from 'node:http';
import {Provider} from 'oidc-provider';

const [redirect, secret] = process.argv.slice(2);
const groups = {anna: ['plant-engineers', 'sedge-admins'], bob: ['gardeners']};

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'sedge',
        client_secret: secret,
        redirect_uris: [redirect],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    pkce: {required: () => true},
    // What belongs to a scope stands in the ID token too.
    conformIdTokenClaims: false,
    claims: {openid: ['sub', 'groups'], profile: ['preferred_username'], email: []},
    cookies: {keys: ['of this test']},
    jwks: {keys: [{...generateKeyPairSync('rsa', {modulusLength: 2048}).privateKey.export({format: 'jwk'}), use: 'sig', alg: 'RS256'}]},
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({sub: id, preferred_username: id, groups: groups[id] ?? []}),
    }),
  });
  server.on('request', provider.callback());
  console.log(`issuer ${issuer}`);
});
