#!/bin/bash
# One run with a scheduler, a server and four workers under Slurm, from Hocket's folder: sbatch deploy/slurm.sh. Slurm sends TERM a minute before the time
# limit, and the run saves; the same job with --resume continues it. The folder must be on a disk that all nodes share.
#SBATCH --job-name=hocket
#SBATCH --ntasks=6
#SBATCH --cpus-per-task=2
#SBATCH --mem-per-cpu=1G
#SBATCH --time=01:00:00
#SBATCH --signal=TERM@60
set -euo pipefail

HOCKET_TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
export HOCKET_TOKEN
export HOCKET_PATIENCE=30
scheduler=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1):$((7000 + SLURM_JOB_ID % 1000))

# Task 0, the scheduler, is on the first node of the list.
# shellcheck disable=SC2016  # $SLURM_PROCID is each task's own
srun --kill-on-bad-exit=0 --distribution=block bash -c \
  'exec deploy/hocket-role "$SLURM_PROCID" 4 1 "$0" "$@"' "$scheduler" \
  ./hocket run digits-gan --threads 2 --out runs/digits-gan
