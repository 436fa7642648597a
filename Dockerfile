# Paddock as an image: docs/docker.md.

# The libc that Paddock is tested with (musl builds of Node.js are experimental), and the one of the last stage.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --workspaces=false --ignore-scripts --no-audit --no-fund
COPY . .
RUN node release/packaging/build.ts /package
# What runs is locked as well: the packages of package-lock.json, and no tool.
WORKDIR /runtime
RUN cp /source/package.json /source/package-lock.json /source/.npmrc . && \
    npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund && \
    mv node_modules /package/

# glibc, libstdc++ and certificates: no shell, no package manager.
FROM gcr.io/distroless/cc-debian12:nonroot
LABEL org.opencontainers.image.title="Paddock" \
      org.opencontainers.image.description="A stateful mock server and contract tests from your OpenAPI document." \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /package /paddock
# Numbers, so that Kubernetes' runAsNonRoot can tell.
USER 65532:65532
WORKDIR /work
# Published ports reach no loopback address. /__admin then needs PADDOCK_ADMIN_TOKEN; its health check does not.
ENV NODE_ENV=production \
    PADDOCK_HOST=0.0.0.0 \
    PADDOCK_PORT=4020
EXPOSE 4020
# Node.js is process 1, and ends by itself on SIGTERM.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/node", "/paddock/cli/paddock.js"]
CMD ["mock"]
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["/usr/local/bin/node", "-e", "fetch('http://127.0.0.1:' + process.env.PADDOCK_PORT + '/__admin/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
