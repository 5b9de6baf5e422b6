// Starters of start.spring.io: web, security, oauth2-resource-server.
package com.example.demo;

import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class DemoApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DemoApplication.class, arguments);
    }

    // Spring's default decoder rejects the type at+jwt.
    @Bean
    JwtDecoder accessTokens() {
        var decoder = NimbusJwtDecoder.withJwkSetUri("http://localhost:3000/.well-known/jwks.json")
            .jwsAlgorithms(algorithms -> Stream.of("RS256").map(SignatureAlgorithm::from).forEach(algorithms::add))
            .validateType(false)
            .build();
        decoder.setJwtValidator(JwtValidators.createAtJwtValidator()
            .issuer("http://localhost:3000")
            .audience("https://api.example.com")
            .validators(all -> all.put("client_id", new JwtClaimValidator<>("client_id", Objects::nonNull)))
            .build());
        return decoder;
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http
            .authorizeHttpRequests(requests -> requests.anyRequest().hasAuthority("SCOPE_read"))
            .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
            .build();
    }

    @GetMapping("/")
    String home(@AuthenticationPrincipal Jwt token) {
        return token.getSubject();
    }
}
