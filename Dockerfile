# Three images from one file:
#   docker build --target api .       the API and the page; no torch inside
#   docker build --target worker .    the workers and the grb command
# Build arguments:
#   CONSTRAINTS   constraints.txt (default) or constraints-cuda.txt
#   TORCH_INDEX   another index for torch, such as PyTorch's own index of CPU builds; without it
#                 the default index gives the CUDA build, which is larger and runs on both

FROM node:20-bookworm-slim AS page
WORKDIR /app/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
RUN npm run build

FROM python:3.11-slim-bookworm AS base
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 GRB_VAR_DIR=/var/lib/grb
RUN useradd --system --create-home --uid 10001 grb \
    && install -d -o grb -g grb /var/lib/grb /data
WORKDIR /app
COPY pyproject.toml constraints.txt constraints-cuda.txt README.md LICENSE ./
COPY grbcore/ grbcore/
COPY api/ api/
COPY worker/ worker/
COPY migrations/ migrations/

FROM base AS api
RUN pip install -c constraints.txt -e '.[api]'
COPY docs/ docs/
COPY --from=page /app/frontend/dist/ frontend/dist/
USER 10001
EXPOSE 8000
ENV GRB_HOST=0.0.0.0
CMD ["python", "-m", "api"]

FROM base AS worker
ARG CONSTRAINTS=constraints.txt
ARG TORCH_INDEX=
# pg_dump and pg_restore, for grb admin backup and restore; of the same release as the server.
# bubblewrap where the container lets it make namespaces; libseccomp for both sandboxes
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap libseccomp2 postgresql-client-15 \
    && rm -rf /var/lib/apt/lists/*
RUN pip install -c "$CONSTRAINTS" ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} -e '.[worker]'
USER 10001
CMD ["python", "-m", "worker"]
