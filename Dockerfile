# syntax=docker/dockerfile:1
# A server for others: docker run -p 1863:1863 -v linstock:/data IMAGE
FROM node:20-bookworm-slim AS board
WORKDIR /board
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN npm run build

FROM rust:1.95-bookworm AS program
WORKDIR /linstock
COPY . .
COPY --from=board /board/dist web/dist
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/linstock/target \
    cargo build --locked --release --package linstock --features hosting \
    && strip -o /usr/bin/linstock target/release/linstock \
    && mkdir -p /empty

# No shell, no package manager; a user without rights.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=program /usr/bin/linstock /usr/bin/linstock
COPY --from=program --chown=65532:65532 --chmod=0700 /empty /data
ENV LINSTOCK_DATA=/data LINSTOCK_ADDR=0.0.0.0:1863
USER 65532:65532
VOLUME /data
EXPOSE 1863
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/usr/bin/linstock", "health"]
ENTRYPOINT ["/usr/bin/linstock"]
CMD ["serve"]
